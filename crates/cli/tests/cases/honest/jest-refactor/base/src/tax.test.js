const { rate } = require('./tax');

test('each kind has its rate', () => {
  expect([rate('book'), rate('bread'), rate('toy')]).toEqual([7, 5, 19]);
});
