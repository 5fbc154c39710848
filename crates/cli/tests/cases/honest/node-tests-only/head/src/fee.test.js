import test from 'node:test';
import assert from 'node:assert/strict';
import { fee } from './fee.js';

test('a small amount', () => {
  assert.equal(fee(1), 5);
});

test('at the edge', () => {
  assert.equal(fee(99), 5);
  assert.equal(fee(100), 0);
});
