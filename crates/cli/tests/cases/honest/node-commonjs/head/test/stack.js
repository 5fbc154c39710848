const test = require('node:test');
const assert = require('node:assert');
const { Stack } = require('../lib/stack');

test('one value', () => {
  const stack = new Stack();
  stack.push(5);
  assert.strictEqual(stack.pop(), 5);
});

test('the last comes first', () => {
  const stack = new Stack();
  stack.push('a');
  stack.push('b');
  assert.deepStrictEqual([stack.pop(), stack.pop(), stack.pop()], ['b', 'a', undefined]);
});
