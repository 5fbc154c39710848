export const run = (words) => {
  if (words.length === 0) {
    return { code: 2, text: 'usage: tool WORD...' };
  }
  return { code: 0, text: words.join(' ') };
};
