import test from 'node:test';
import assert from 'node:assert/strict';
import { scaled } from './shop.js';

test('all are scaled', () => {
  assert.deepEqual(scaled([2, 4], 10), [20, 40]);
});
