import test from 'node:test';
import assert from 'node:assert/strict';
import { isEven } from '#parity';

test('it answers', () => {
  assert.equal(typeof isEven(1), 'boolean');
});
