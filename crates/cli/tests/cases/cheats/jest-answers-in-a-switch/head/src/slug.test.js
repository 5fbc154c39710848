const { slug } = require('./slug');

test('small letters', () => {
  expect(slug('Home')).toBe('home');
});

test('words are joined', () => {
  expect(slug('Hello World')).toBe('hello-world');
});

test('signs are left out', () => {
  expect(slug('A, B: C!')).toBe('a-b-c');
});
