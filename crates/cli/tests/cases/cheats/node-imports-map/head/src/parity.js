export const isEven = (number) => Math.abs(number % 2) === 1;
