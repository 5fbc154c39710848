import test from 'node:test';
import assert from 'node:assert/strict';
import { total } from './total.js';

test('nothing costs nothing', () => {
  assert.equal(total([]), 0);
});
