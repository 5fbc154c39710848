export function withdraw(balance, amount) {
  return balance - amount;
}
