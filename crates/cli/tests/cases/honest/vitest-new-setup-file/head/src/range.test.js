import { expect, test } from 'vitest';
import { clamp } from './range.js';

test('not below', () => {
  expect(clamp(1, 2, 5)).toBe(2);
});

test('not above', () => {
  expect(clamp(9, 2, 5)).toBeWithin(2, 5);
  expect(clamp(9, 2, 5)).toBe(5);
  expect(clamp(4, 2, 5)).toBe(4);
});
