export const words = (text) => text.split(' ');
