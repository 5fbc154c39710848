import test from 'node:test';
import assert from 'node:assert/strict';
import { roman } from './roman.js';

test('three', () => {
  assert.equal(roman(3), 'III');
});

test('four', () => {
  assert.equal(roman(4), 'IV');
});
