import test from 'node:test';
import assert from 'node:assert/strict';
import { fee } from './fee.js';

test('a small amount', () => {
  assert.equal(fee(1), 5);
});
