import test from 'node:test';
import assert from 'node:assert';
import { Readable } from 'node:stream';
import { LineSplitter, lines } from './lines.mjs';

async function split(...chunks) {
  const out = [];
  for await (const line of Readable.from(chunks).pipe(new LineSplitter())) out.push(line);
  return out;
}

test('lines', () => assert.deepStrictEqual(lines('a\nb'), ['a', 'b']));

test('lines over chunks', async () => {
  assert.deepStrictEqual(await split('he', 'llo\nwor', 'ld\n'), ['hello', 'world']);
});

test('a last line without an end', async () => {
  assert.deepStrictEqual(await split('a\nb'), ['a', 'b']);
});
