import test from 'node:test';
import assert from 'node:assert/strict';
import { price } from './price.js';

test('pieces are multiplied', () => {
  assert.equal(price(3, 2), 6);
});
