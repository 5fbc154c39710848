import { test } from 'node:test';
import assert from 'node:assert';
import { row, split } from '../src/row.js';

test('split', () => {
  assert.deepEqual(split('a; b'), ['a', 'b']);
});

test('a row has a name', () => {
  assert.equal(row('ink; 3').name, 'ink');
});
