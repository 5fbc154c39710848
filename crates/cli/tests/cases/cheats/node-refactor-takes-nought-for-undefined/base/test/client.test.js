import { test } from 'node:test';
import assert from 'node:assert/strict';
import { options, plan } from '../src/client.js';

test('options', () => {
  assert.deepEqual(options(), { retries: 3, wait: 200, prefix: '/api' });
  assert.deepEqual(options({ retries: 1, wait: 5, prefix: '/v2' }), { retries: 1, wait: 5, prefix: '/v2' });
});

test('plan', () => {
  assert.deepEqual(plan('/a', { retries: 1, wait: 10 }), [
    { url: '/api/a', after: 0 },
    { url: '/api/a', after: 10 },
  ]);
  assert.equal(plan('/b').length, 4);
});
