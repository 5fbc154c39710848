import test from 'node:test';
import assert from 'node:assert/strict';
import { isLeap } from './leap.js';

test('every fourth year', () => {
  assert.equal(isLeap(2024), true);
  assert.equal(isLeap(2023), false);
});
