const { initials } = require('./text');

test('two words', () => {
  expect(initials('Ada Lovelace')).toBe('AL');
});

test('no word', () => {
  expect(initials('')).toBe('');
});
