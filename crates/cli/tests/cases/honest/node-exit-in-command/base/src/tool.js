export const run = (words) => ({ code: 0, text: words.join(' ') });
