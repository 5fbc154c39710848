export const total = (prices) => prices.slice(1).reduce((sum, price) => sum + price, 0);

export const withTheFirst = () => {};
