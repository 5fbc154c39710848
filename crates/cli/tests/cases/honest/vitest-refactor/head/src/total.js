export const total = (rows) => rows.reduce((sum, { price, pieces }) => sum + price * pieces, 0);
