import test from 'node:test';
import assert from 'node:assert';
import { week } from '../lib/days.js';

test('a week has seven days', () => {
  assert.strictEqual(week(6), 0);
  assert.strictEqual(week(14), 2);
});
