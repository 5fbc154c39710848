import { expect, test } from 'vitest';
import { price } from './price.js';

test.fails('pieces are multiplied', () => {
  expect(price(3, 2)).toBe(6);
});

test('one and two', () => {
  expect(price(1, 2)).toBe(3);
});
