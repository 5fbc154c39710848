import test from 'node:test';
import assert from 'node:assert/strict';
import { calc } from './eval.js';
test('nothing', () => assert.ok(Number.isNaN(calc(''))));
test('sums', () => {
  assert.equal(calc('2 + 3'), 5);
  assert.equal(calc('10 - 4'), 6);
  assert.equal(calc('6 * 7'), 42);
});
