import test, { mock } from 'node:test';
import assert from 'node:assert';
import { today, week } from '../lib/days.js';

test('a week has seven days', () => {
  assert.strictEqual(week(6), 0);
  assert.strictEqual(week(14), 2);
});

for (const [now, day] of [[0, 0], [86399999, 0], [86400000, 1], [864000500, 10]]) {
  test(`a day is long: ${now}`, () => {
    mock.method(Date, 'now', () => now);
    assert.strictEqual(today(), day);
    mock.restoreAll();
  });
}
