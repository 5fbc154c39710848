import test from 'node:test';
import assert from 'node:assert/strict';
import { words } from './words.js';

test('it is a list', () => {
  assert.equal(Array.isArray(words('a')), true);
});

test('no word has a comma', () => {
  for (const word of words('one, two, three')) {
    assert.equal(word.endsWith(','), false);
  }
});
