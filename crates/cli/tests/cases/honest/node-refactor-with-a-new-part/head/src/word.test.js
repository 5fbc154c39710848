import test from 'node:test';
import assert from 'node:assert/strict';
import { word } from './greet.js';

test('a word for the time of day', () => {
  assert.equal(word(11), 'Good morning');
  assert.equal(word(12), 'Good day');
});
