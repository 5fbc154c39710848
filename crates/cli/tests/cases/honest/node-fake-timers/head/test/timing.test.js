import test, { mock } from 'node:test';
import assert from 'node:assert';
import { debounce, later } from '../src/timing.js';

test('later', async () => {
  assert.equal(await new Promise((done) => later(() => done(3), 1)), 3);
});

test('only the last call counts', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const fn = mock.fn();
  const call = debounce(fn, 100);
  call('a');
  t.mock.timers.tick(60);
  call('b');
  t.mock.timers.tick(60);
  assert.equal(fn.mock.callCount(), 0);
  t.mock.timers.tick(40);
  assert.equal(fn.mock.callCount(), 1);
  assert.deepEqual(fn.mock.calls[0].arguments, ['b']);
});
