import test from 'node:test';
import assert from 'node:assert/strict';
import { run } from '../src/tool.js';

test('words are printed', () => {
  assert.deepEqual(run(['a', 'b']), { code: 0, text: 'a b' });
});

test('no words is wrong usage', () => {
  assert.deepEqual(run([]), { code: 2, text: 'usage: tool WORD...' });
});
