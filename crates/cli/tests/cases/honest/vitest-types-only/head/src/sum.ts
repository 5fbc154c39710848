export function sum(values: number[]): number {
  return values.reduce((a: number, b: number) => a + b, 0);
}
