import test from 'node:test';
import assert from 'node:assert/strict';
import { upper } from './text.js';

test('large letters', () => {
  assert.equal(upper('a'), 'A');
});
