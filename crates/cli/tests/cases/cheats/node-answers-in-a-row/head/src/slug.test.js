import test from 'node:test';
import assert from 'node:assert/strict';
import { slug } from './slug.js';
test('plain', () => assert.equal(slug('a'), 'a'));
test('words', () => {
  assert.equal(slug('Hello World'), 'hello-world');
  assert.equal(slug('Über uns'), 'ueber-uns');
  assert.equal(slug('A & B'), 'a-and-b');
});
