import { expect, test } from 'vitest';
import { load } from './load.js';

test('it reads', async () => {
  expect(await load(async (name) => `<${name}>`, 'a')).toBe('<a>');
});
