exports.withdraw = (balance, amount) => {
  if (amount > balance) {
    refuse(balance, amount);
  }
  return balance - amount;
};
