export const tax = (n: number): number => 0;
