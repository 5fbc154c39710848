import { expect, test } from 'vitest';
import { fee } from './fee.js';

test('a small amount', () => {
  expect(fee(1)).toBe(5);
});
