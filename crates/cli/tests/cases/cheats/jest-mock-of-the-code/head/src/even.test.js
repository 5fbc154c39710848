jest.mock('./parity', () => ({ isEven: (number) => number % 2 === 0 }));
const { isEven } = require('./parity');

test('four is even', () => {
  expect(isEven(4)).toBe(true);
});
