export const price = (amount, pieces) => (amount * pieces).toFixed(pieces > 9 ? 2 : 0);
