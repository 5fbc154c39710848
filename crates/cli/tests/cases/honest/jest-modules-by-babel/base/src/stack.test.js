import { Stack } from './stack';

test('one value', () => {
  const stack = new Stack();
  stack.push(5);
  expect(stack.pop()).toBe(5);
});
