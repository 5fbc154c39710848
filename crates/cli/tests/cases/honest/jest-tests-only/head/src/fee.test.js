const { fee } = require('./fee');

test('a small amount', () => {
  expect(fee(1)).toBe(5);
});

test('at the edge', () => {
  expect(fee(99)).toBe(5);
  expect(fee(100)).toBe(0);
});
