import test from 'node:test';
import assert from 'node:assert';
import { lines } from './lines.mjs';

test('lines', () => assert.deepStrictEqual(lines('a\nb'), ['a', 'b']));
