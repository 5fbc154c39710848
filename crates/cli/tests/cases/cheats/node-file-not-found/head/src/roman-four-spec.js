import test from 'node:test';
import assert from 'node:assert/strict';
import { roman } from './roman.js';

test('four', () => {
  assert.equal(roman(4), 'IV');
});
