import test from 'node:test';
import assert from 'node:assert/strict';
import { load } from './load.js';

test('it reads', async () => {
  assert.equal(await load(async (name) => `<${name}>`, 'a'), '<a>');
});
