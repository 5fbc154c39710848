import test from 'node:test';
import assert from 'node:assert';
import { Toggle } from '../toggle.js';

test('it begins switched off', () => {
  assert.strictEqual(new Toggle().name, 'off');
});

test('each click changes it', () => {
  const toggle = new Toggle();
  toggle.click({});
  assert.strictEqual(toggle.name, 'on');
  toggle.click({});
  assert.strictEqual(toggle.name, 'off');
  assert.deepStrictEqual(toggle.log, ['on', 'off']);
});
