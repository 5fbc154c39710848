import test from 'node:test';
import assert from 'node:assert/strict';
import { total } from './total.js';

test('nothing costs nothing', () => {
  assert.equal(total([]), 0);
});

test('every price counts', () => {
  assert.equal(total([7, 2, 1]), 10);
});
