const { load } = require('./load');

test('it reads', async () => {
  expect(await load(async (name) => `<${name}>`, 'a')).toBe('<a>');
});
