export const fact = (n) => 0;
