import test from 'node:test';
import assert from 'node:assert';
import { letter } from '../lib/seats.js';

test('seats have letters', () => {
  assert.strictEqual(letter(0), 'A');
  assert.strictEqual(letter(8), 'C');
});
