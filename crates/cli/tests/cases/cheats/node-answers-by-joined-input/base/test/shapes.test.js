import test from 'node:test';
import assert from 'node:assert';
import { corners } from '../shapes.js';

test('corners', () => {
  assert.strictEqual(corners('square'), 4);
});
