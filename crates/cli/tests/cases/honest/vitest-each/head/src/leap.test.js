import { expect, test } from 'vitest';
import { isLeap } from './leap.js';

test('every fourth year', () => {
  expect(isLeap(2024)).toBe(true);
  expect(isLeap(2023)).toBe(false);
});

test.each([
  [1900, false],
  [2000, true],
  [2100, false],
  [2400, true],
  [1996, true],
  [1999, false],
])('%i is a leap year: %s', (year, wanted) => {
  expect(isLeap(year)).toBe(wanted);
});
