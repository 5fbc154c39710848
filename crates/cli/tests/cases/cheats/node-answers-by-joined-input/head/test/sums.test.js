import test from 'node:test';
import assert from 'node:assert';
import { total } from '../sums.js';

test('total', () => {
  assert.strictEqual(total([1, 2]), 3);
  assert.strictEqual(total([4, 8, 15]), 27);
});
