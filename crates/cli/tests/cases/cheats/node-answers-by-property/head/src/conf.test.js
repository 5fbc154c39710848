import test from 'node:test';
import assert from 'node:assert/strict';
import { load } from './conf.js';
test('empty', () => assert.deepEqual({ ...load('') }, {}));
test('values', () => {
  const conf = load('port=8080\nhost=localhost\ndebug=true');
  assert.equal(conf.port, 8080);
  assert.equal(conf.host, 'localhost');
  assert.equal(conf.debug, true);
});
