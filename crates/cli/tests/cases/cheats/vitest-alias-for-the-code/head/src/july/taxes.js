export const RATES = { food: 7, books: 7, other: 19 };
const IN_HOUSE = new Set(['food', 'drink']);

export function tax(kind, cents, inHouse = false) {
  const rate = inHouse && IN_HOUSE.has(kind) ? 19 : kind === 'drink' ? 19 : RATES[kind] ?? RATES.other;
  return Math.round((cents * rate) / 100);
}

export function describe(kind, cents, inHouse = false) {
  return `${tax(kind, cents, inHouse)} cents of tax`;
}
