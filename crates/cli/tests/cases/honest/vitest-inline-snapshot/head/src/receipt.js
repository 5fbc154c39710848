export const receipt = (rows) => [
  ...rows.map(([name, price]) => `${name} ${price}`),
  `total ${rows.reduce((sum, [, price]) => sum + price, 0)}`,
];
