import { expect, test } from 'vitest';
import { Stack } from '../src/stack';

test('one value', () => {
  const stack = new Stack<number>();
  stack.push(5);
  expect(stack.pop()).toBe(5);
});

test('the last comes first', () => {
  const stack = new Stack<string>();
  stack.push('a');
  stack.push('b');
  expect([stack.pop(), stack.pop(), stack.pop()]).toEqual(['b', 'a', undefined]);
});
