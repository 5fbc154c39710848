export const upper = (text) => text.toUpperCase();

export const initials = (name) =>
  name
    .split(' ')
    .map((word) => word.slice(0, 1))
    .join('');
