import test from 'node:test';
import assert from 'node:assert/strict';
import { load } from './conf.js';
test('empty', () => assert.deepEqual({ ...load('') }, {}));
