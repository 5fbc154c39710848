export function cents(amount) {
  const all = amount * 100;
  return Math.floor(all);
}
