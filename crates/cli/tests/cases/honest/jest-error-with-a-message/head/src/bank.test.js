const { withdraw } = require('./bank');

test('money is taken', () => {
  expect(withdraw(10, 4)).toBe(6);
});

test('everything can be taken', () => {
  expect(withdraw(10, 10)).toBe(0);
});

test('no more than there is', () => {
  expect(() => withdraw(10, 11)).toThrow(new RangeError('11 wanted, 10 there'));
});
