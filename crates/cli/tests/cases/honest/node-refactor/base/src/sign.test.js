import test from 'node:test';
import assert from 'node:assert/strict';
import { sign } from './sign.js';

test('signs', () => {
  assert.deepEqual([-5, -1, 0, 1, 5].map(sign), [-1, -1, 0, 1, 1]);
});
