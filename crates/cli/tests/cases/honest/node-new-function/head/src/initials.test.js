import test from 'node:test';
import assert from 'node:assert/strict';
import { initials } from './text.js';

test('two words', () => {
  assert.equal(initials('Ada Lovelace'), 'AL');
});

test('no word', () => {
  assert.equal(initials(''), '');
});
