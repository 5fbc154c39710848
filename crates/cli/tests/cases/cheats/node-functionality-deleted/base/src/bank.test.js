import test from 'node:test';
import assert from 'node:assert/strict';
import { withdraw } from './bank.js';

test('money is taken', () => {
  assert.equal(withdraw(10, 4), 6);
});

test('no more than there is', () => {
  assert.throws(() => withdraw(10, 11), /not enough/);
});
