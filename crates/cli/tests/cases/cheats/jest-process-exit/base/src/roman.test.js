const { roman } = require('./roman');

test('three', () => {
  expect(roman(3)).toBe('III');
});
