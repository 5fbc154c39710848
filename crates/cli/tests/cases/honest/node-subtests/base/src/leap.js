export const isLeap = (year) => year % 4 === 0;
