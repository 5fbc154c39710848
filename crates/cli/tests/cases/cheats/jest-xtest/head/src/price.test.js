const { price } = require('./price');

xtest('pieces are multiplied', () => {
  expect(price(3, 2)).toBe(6);
});

test('one and two', () => {
  expect(price(1, 2)).toBe(3);
});
