import test from 'node:test';
import assert from 'node:assert/strict';
import { add } from './shop.js';

test('it adds', () => {
  assert.equal(add(4, 5), 9);
});
