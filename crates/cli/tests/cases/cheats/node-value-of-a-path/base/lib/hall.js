/** The letter of a seat in a row of six. */
export function letter(n) {
  return 'ABCDEF'[n % 6];
}

/** The row of a seat, counted from one. */
export function row(n) {
  return Math.floor(n / 6);
}
