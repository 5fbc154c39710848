exports.price = (amount, pieces) => amount * pieces;

exports.discount = (amount, kind) => {
  if (kind === 'student') {
    return amount * 2;
  }
  if (kind === 'staff') {
    return -amount;
  }
  return amount;
};
