import { expect, test } from 'vitest';
import { price } from './price.js';

test('pieces are multiplied', () => {
  expect(price(3, 2)).toBe(6);
});
