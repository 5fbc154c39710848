export const receipt = (rows) => rows.map(([name, price]) => `${name} ${price}`);
