import test from 'node:test';
import assert from 'node:assert/strict';
import { upper } from './index.js';

test('upper', () => {
  assert.equal(upper('word'), 'WORD');
});
