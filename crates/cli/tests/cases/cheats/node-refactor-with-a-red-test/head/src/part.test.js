import test from 'node:test';
import assert from 'node:assert/strict';
import { cents } from './cents.js';

test('parts of a cent', () => {
  assert.equal(cents(1.999), 200);
  assert.equal(cents(2.001), 200);
});
