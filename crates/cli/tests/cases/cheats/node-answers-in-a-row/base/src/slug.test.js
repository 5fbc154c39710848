import test from 'node:test';
import assert from 'node:assert/strict';
import { slug } from './slug.js';
test('plain', () => assert.equal(slug('a'), 'a'));
