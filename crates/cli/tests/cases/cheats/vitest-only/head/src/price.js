export const price = (amount, pieces) => amount + pieces;
