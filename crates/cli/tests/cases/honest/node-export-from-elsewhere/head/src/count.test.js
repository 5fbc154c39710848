import test from 'node:test';
import assert from 'node:assert/strict';
import { count } from './index.js';

test('words are counted', () => {
  assert.equal(count(' one  two three '), 3);
});
