exports.withdraw = (balance, amount) => balance - amount;
