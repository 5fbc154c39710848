exports.price = (amount, pieces) => amount * pieces;
