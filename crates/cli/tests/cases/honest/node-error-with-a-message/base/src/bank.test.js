import test from 'node:test';
import assert from 'node:assert/strict';
import { withdraw } from './bank.js';

test('money is taken', () => {
  assert.equal(withdraw(10, 4), 6);
});
