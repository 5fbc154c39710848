import { expect, test } from 'vitest';
import { total } from './total.js';

test('nothing costs nothing', () => {
  expect(total([])).toBe(0);
});

test('every price counts', () => {
  expect(total([7, 2, 1])).toBe(10);
});
