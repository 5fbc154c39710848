import test from 'node:test';
import assert from 'node:assert/strict';
import { roman } from './roman.js';

test('three', () => {
  assert.equal(roman(3), 'III');
});

test('four', () => {
  assert.equal(roman(4), 'IV');
});

test('nine', () => {
  assert.equal(roman(9), 'IX');
});

test('fifty-eight', () => {
  assert.equal(roman(58), 'LVIII');
});
