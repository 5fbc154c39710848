export const calc = (text) => NaN;
