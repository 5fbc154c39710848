const { roman } = require('./roman');

test('three', () => {
  expect(roman(3)).toBe('III');
});

test('four', () => {
  expect(roman(4)).toBe('IV');
});
