import test from 'node:test';
import assert from 'node:assert/strict';
import { total } from './shop.js';

test('an empty basket costs nothing', () => {
  assert.equal(total([]), 0);
});
