export function price(amount, pieces) {
  let sum = 0;
  for (let i = 0; i < pieces; i += 1) sum += amount;
  return sum;
}
