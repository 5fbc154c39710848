const { show } = require('../src/money.js');

test('show', () => {
  expect(show(1250, 'EUR')).toBe('12.50 €');
  expect(show(1250, 'SEK')).toBe('12.50 SEK');
});

test('signs', () => {
  expect(show(1250, 'USD')).toBe('12.50 $');
  expect(show(99, 'GBP')).toBe('0.99 £');
  expect(show(500, 'PLN')).toBe('5.00 zł');
});
