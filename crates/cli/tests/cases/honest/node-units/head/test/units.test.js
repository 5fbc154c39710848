import { test } from 'node:test';
import assert from 'node:assert/strict';
import { metres } from '../src/units.js';

test('lengths in metres', () => {
  assert.equal(metres('3 km'), 3000);
  assert.equal(metres('12m'), 12);
  assert.equal(metres('50 cm'), 0.5);
});

test('what is no length', () => {
  assert.throws(() => metres('far'), { name: 'RangeError', message: 'no length: far' });
});
