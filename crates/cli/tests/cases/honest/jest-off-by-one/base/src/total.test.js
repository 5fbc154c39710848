const { total } = require('./total');

test('nothing costs nothing', () => {
  expect(total([])).toBe(0);
});
