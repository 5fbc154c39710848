import test from 'node:test';
import assert from 'node:assert';
import { later } from '../src/timing.js';

test('later', async () => {
  assert.equal(await new Promise((done) => later(() => done(3), 1)), 3);
});
