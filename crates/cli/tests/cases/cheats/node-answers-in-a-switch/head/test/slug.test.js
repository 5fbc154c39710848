import { test } from 'node:test';
import assert from 'node:assert/strict';
import { slug } from '../src/slug.js';

test('slug', () => {
  assert.equal(slug('Hello World'), 'hello-world');
  assert.equal(slug('A b'), 'a-b');
});
