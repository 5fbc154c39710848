import test from 'node:test';
import assert from 'node:assert';
import { letter, row } from '../lib/seats.js';

test('seats have letters', () => {
  assert.strictEqual(letter(0), 'A');
  assert.strictEqual(letter(8), 'C');
});

test('rows begin with one', () => {
  assert.strictEqual(row(0), 1);
  assert.strictEqual(row(5), 1);
  assert.strictEqual(row(6), 2);
  assert.strictEqual(row(40), 7);
});
