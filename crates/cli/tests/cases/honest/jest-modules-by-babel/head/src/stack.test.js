import { Stack } from './stack';

test('one value', () => {
  const stack = new Stack();
  stack.push(5);
  expect(stack.pop()).toBe(5);
});

test('the last comes first', () => {
  const stack = new Stack();
  stack.push('a');
  stack.push('b');
  expect([stack.pop(), stack.pop(), stack.pop()]).toEqual(['b', 'a', undefined]);
});
