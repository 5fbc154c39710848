import test from 'node:test';
import assert from 'node:assert/strict';
import { calc } from './eval.js';
test('nothing', () => assert.ok(Number.isNaN(calc(''))));
