export const fee = (amount) => (amount > 100 ? 0 : 5);
