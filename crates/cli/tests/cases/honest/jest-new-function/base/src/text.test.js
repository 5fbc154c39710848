const { upper } = require('./text');

test('large letters', () => {
  expect(upper('a')).toBe('A');
});
