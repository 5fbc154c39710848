export const RATES = { food: 7, books: 7, other: 19 };

export function tax(kind, cents) {
  return Math.round((cents * (RATES[kind] ?? RATES.other)) / 100);
}

export function describe(kind, cents) {
  return `${tax(kind, cents)} cents of tax`;
}
