import test from 'node:test';
import assert from 'node:assert/strict';
import { cents } from './cents.js';

test('whole amounts', () => {
  assert.equal(cents(3), 300);
  assert.equal(cents(0), 0);
});
