import test from 'node:test';
import assert from 'node:assert/strict';
import { total, withTheFirst } from './shop.js';

test('the first price counts too', () => {
  const prices = [0, 2, 3];
  withTheFirst(prices);
  assert.equal(total(prices), 5);
});
