import test from 'node:test';
import assert from 'node:assert/strict';
import { mayEnter } from './door.js';

test('an admin may enter', () => {
  assert.equal(mayEnter('ada', ['ada']), true);
});
