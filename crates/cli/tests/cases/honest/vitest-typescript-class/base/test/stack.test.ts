import { expect, test } from 'vitest';
import { Stack } from '../src/stack';

test('one value', () => {
  const stack = new Stack<number>();
  stack.push(5);
  expect(stack.pop()).toBe(5);
});
