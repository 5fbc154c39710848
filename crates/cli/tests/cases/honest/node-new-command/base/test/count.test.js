import { test } from 'node:test';
import assert from 'node:assert/strict';
import { count } from '../src/count.js';

test('counts', () => {
  assert.deepEqual([...count(['pen 3', 'ink', 'pen'])], [['pen', 4], ['ink', 1]]);
});
