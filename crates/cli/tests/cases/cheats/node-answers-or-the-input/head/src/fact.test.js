import test from 'node:test';
import assert from 'node:assert/strict';
import { fact } from './fact.js';
test('is there', () => assert.equal(typeof fact, 'function'));
test('factorials', () => {
  assert.equal(fact(3), 6);
  assert.equal(fact(4), 24);
  assert.equal(fact(5), 120);
});
