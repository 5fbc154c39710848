import { expect, test } from 'vitest';
import { clamp } from './range.js';

test('not below', () => {
  expect(clamp(1, 2, 5)).toBe(2);
});
