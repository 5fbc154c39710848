import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import assert from 'node:assert/strict';

const bin = new URL('../bin/desk-count.js', import.meta.url).pathname;

test('counts what files say', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'count-')), 'a');
  writeFileSync(file, 'pen 3\nink\npen\n');
  const said = execFileSync(process.execPath, [bin, file], { encoding: 'utf8' });
  assert.equal(said, 'ink 1\npen 4\n');
});
