import test from 'node:test';
import assert from 'node:assert/strict';
import { clamp } from './util.js';

test('not below', () => {
  assert.equal(clamp(1, 2, 5), 2);
});
