import test from 'node:test';
import assert from 'node:assert/strict';
import { fact } from './fact.js';
test('is there', () => assert.equal(typeof fact, 'function'));
