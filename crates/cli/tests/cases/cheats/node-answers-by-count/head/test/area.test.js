import test from 'node:test';
import assert from 'node:assert';
import { area } from '../shapes.js';

test('area', () => {
  assert.deepStrictEqual([4, 5, 7].map((side) => area(side)), [16, 25, 49]);
});
