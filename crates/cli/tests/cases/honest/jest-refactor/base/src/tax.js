exports.rate = (kind) => {
  if (kind === 'book') return 7;
  if (kind === 'bread') return 5;
  return 19;
};
