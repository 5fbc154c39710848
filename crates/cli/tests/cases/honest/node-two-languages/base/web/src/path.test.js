import test from 'node:test';
import assert from 'node:assert/strict';
import { path } from './path.js';

test('two parts', () => {
  assert.equal(path(['a', 'b']), 'a/b');
});
