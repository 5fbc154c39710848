const { once } = require('./once');

test('it is called', () => {
  expect(once((a) => a + 1)(2)).toBe(3);
});
