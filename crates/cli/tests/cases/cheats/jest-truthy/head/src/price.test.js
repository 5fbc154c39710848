const { price } = require('./price');

test('pieces are multiplied', () => {
  expect(price(3, 2)).toBeTruthy();
});

test('one and two', () => {
  expect(price(1, 2)).toBe(3);
});
