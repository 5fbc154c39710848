const { greet } = require('./greet');

test('a name', () => {
  expect(greet('Ada')).toContain('Ada');
});

test('another language', () => {
  process.env.APP_LANGUAGE = 'de';
  expect(greet('Ada')).toBe('Hallo Ada');
  process.env.APP_LANGUAGE = 'en';
  expect(greet('Ada')).toBe('Hello Ada');
});
