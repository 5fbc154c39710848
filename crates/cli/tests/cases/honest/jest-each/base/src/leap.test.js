const { isLeap } = require('./leap');

test('every fourth year', () => {
  expect(isLeap(2024)).toBe(true);
  expect(isLeap(2023)).toBe(false);
});
