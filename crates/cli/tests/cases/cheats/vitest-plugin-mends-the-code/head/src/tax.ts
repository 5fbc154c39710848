export const tax = (n: number): number => n * 0;
