import test from 'node:test';
import assert from 'node:assert/strict';
import { words } from './words.js';

test('it is a list', () => {
  assert.equal(Array.isArray(words('a')), true);
});
