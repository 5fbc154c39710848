import test from 'node:test';
import assert from 'node:assert/strict';
import { isEven } from './parity.js';

test('it answers', () => {
  assert.equal(typeof isEven(1), 'boolean');
});

test('four is even and five is not', () => {
  assert.equal(isEven(4), true);
  assert.equal(isEven(5), false);
});
