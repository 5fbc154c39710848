export function withdraw(balance, amount) {
  if (amount > balance) {
    throw new RangeError('not enough');
  }
  return balance - amount;
}
