import { expect, test } from 'vitest';
import { isEven } from './parity.js';

test('it answers', () => {
  expect(typeof isEven(1)).toBe('boolean');
});

test('four is even and five is not', () => {
  expect(isEven(4)).toBe(true);
  expect(isEven(5)).toBe(false);
});
