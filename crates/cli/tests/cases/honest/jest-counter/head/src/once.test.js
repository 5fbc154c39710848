const { once } = require('./once');

test('it is called', () => {
  expect(once((a) => a + 1)(2)).toBe(3);
});

test('it is called once and remembers', () => {
  const action = jest.fn((a) => a * 2);
  const call = once(action);
  expect([call(2), call(5), call(7)]).toEqual([4, 4, 4]);
  expect(action).toHaveBeenCalledTimes(1);
});
