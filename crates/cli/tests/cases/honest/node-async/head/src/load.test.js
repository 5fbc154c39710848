import test from 'node:test';
import assert from 'node:assert/strict';
import { load } from './load.js';

test('it reads', async () => {
  assert.equal(await load(async (name) => `<${name}>`, 'a'), '<a>');
});

test('what is not there is refused', async () => {
  await assert.rejects(load(async () => undefined, 'b'), /b is not there/);
});
