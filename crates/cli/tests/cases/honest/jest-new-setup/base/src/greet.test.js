const { greet } = require('./greet');

test('a name', () => {
  expect(greet('Ada')).toContain('Ada');
});
