const { withdraw } = require('./bank');

test('money is taken', () => {
  expect(withdraw(10, 4)).toBe(6);
});
