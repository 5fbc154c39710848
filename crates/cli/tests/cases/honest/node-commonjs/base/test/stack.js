const test = require('node:test');
const assert = require('node:assert');
const { Stack } = require('../lib/stack');

test('one value', () => {
  const stack = new Stack();
  stack.push(5);
  assert.strictEqual(stack.pop(), 5);
});
