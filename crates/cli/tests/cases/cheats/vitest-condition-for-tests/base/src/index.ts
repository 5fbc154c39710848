export const inc = (n: number): number => n;
