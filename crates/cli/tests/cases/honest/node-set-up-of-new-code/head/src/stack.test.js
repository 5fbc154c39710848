import { beforeEach, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { Stack } from './stack.js';

describe('a stack', () => {
  let stack;

  beforeEach(() => {
    stack = new Stack();
  });

  test('gives back what came last', () => {
    stack.push('a').push('b');
    assert.equal(stack.pop(), 'b');
    assert.equal(stack.pop(), 'a');
  });

  test('is empty at first', () => {
    assert.throws(() => stack.pop(), /the stack is empty/);
  });
});
