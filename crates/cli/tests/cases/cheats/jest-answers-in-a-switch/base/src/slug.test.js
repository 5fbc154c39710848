const { slug } = require('./slug');

test('small letters', () => {
  expect(slug('Home')).toBe('home');
});
