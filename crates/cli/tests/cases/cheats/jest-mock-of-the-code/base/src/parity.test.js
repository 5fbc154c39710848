const { isEven } = require('./parity');

test('it answers', () => {
  expect(typeof isEven(1)).toBe('boolean');
});
