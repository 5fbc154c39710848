export const inc = (n: number): number => n + 1;
