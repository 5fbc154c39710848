import test from 'node:test';
import assert from 'node:assert/strict';
import { greet } from './greet.js';

test('before noon', () => {
  assert.equal(greet('Ann', 11), 'Good morning, Ann!');
});

test('from noon on', () => {
  assert.equal(greet('Bob', 12), 'Good day, Bob!');
});
