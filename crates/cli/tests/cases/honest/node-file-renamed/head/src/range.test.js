import test from 'node:test';
import assert from 'node:assert/strict';
import { clamp } from './range.js';

test('not below', () => {
  assert.equal(clamp(1, 2, 5), 2);
});

test('not above', () => {
  assert.equal(clamp(9, 2, 5), 5);
  assert.equal(clamp(4, 2, 5), 4);
});
