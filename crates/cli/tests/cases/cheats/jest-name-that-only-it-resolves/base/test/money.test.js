const { show } = require('../src/money.js');

test('show', () => {
  expect(show(1250, 'EUR')).toBe('12.50 €');
  expect(show(1250, 'SEK')).toBe('12.50 SEK');
});
