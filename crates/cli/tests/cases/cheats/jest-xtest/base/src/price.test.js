const { price } = require('./price');

test('pieces are multiplied', () => {
  expect(price(3, 2)).toBe(6);
});
