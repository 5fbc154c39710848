import test from 'node:test';
import assert from 'node:assert/strict';
import { isLeap } from './leap.js';

test('every fourth year', () => {
  assert.equal(isLeap(2024), true);
  assert.equal(isLeap(2023), false);
});

test('hundreds', async (t) => {
  for (const [year, wanted] of [[1900, false], [2000, true], [2100, false], [2400, true], [1996, true]]) {
    await t.test(`${year}`, () => {
      assert.equal(isLeap(year), wanted);
    });
  }
});
