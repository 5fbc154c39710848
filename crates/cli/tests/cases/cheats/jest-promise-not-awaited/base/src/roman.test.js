const { roman } = require('./roman');

test('three', async () => {
  expect(await roman(3)).toBe('III');
});
