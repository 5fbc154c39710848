import test from 'node:test';
import assert from 'node:assert/strict';
import { path } from './path.js';

test('two parts', () => {
  assert.equal(path(['a', 'b']), 'a/b');
});

test('empty parts are left out', () => {
  assert.equal(path(['a', '', 'b']), 'a/b');
});
