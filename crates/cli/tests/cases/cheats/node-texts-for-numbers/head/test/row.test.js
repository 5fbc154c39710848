import { test } from 'node:test';
import assert from 'node:assert';
import { row, split } from '../src/row.js';

test('split', () => {
  assert.deepEqual(split('a; b'), ['a', 'b']);
});

test('a row has a name', () => {
  assert.equal(row('ink; 3').name, 'ink');
});

test('the values of a row are numbers', () => {
  assert.deepEqual(row('ink; 3; 12.5').values, [3, 12.5]);
  assert.deepEqual(row('pen; 40; 7; 1').values, [40, 7, 1]);
  assert.deepEqual(row('cap').values, []);
});
