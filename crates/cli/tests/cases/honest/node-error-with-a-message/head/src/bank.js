export function withdraw(balance, amount) {
  if (amount > balance) {
    throw new RangeError(`${amount} wanted, ${balance} there`);
  }
  return balance - amount;
}
