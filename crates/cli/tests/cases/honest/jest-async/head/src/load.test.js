const { load } = require('./load');

test('it reads', async () => {
  expect(await load(async (name) => `<${name}>`, 'a')).toBe('<a>');
});

test('what is not there is refused', async () => {
  await expect(load(async () => undefined, 'b')).rejects.toThrow('b is not there');
});
