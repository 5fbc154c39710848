const { fee } = require('./fee');

test('a small amount', () => {
  expect(fee(1)).toBe(5);
});
