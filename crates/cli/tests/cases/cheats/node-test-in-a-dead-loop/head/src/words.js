export const words = (text) => (text.includes(' ') ? [] : text.split(' '));
