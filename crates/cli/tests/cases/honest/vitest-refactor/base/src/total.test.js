import { expect, test } from 'vitest';
import { total } from './total.js';

test('rows are added up', () => {
  expect(total([{ price: 3, pieces: 2 }, { price: 5, pieces: 1 }])).toBe(11);
});

test('no rows', () => {
  expect(total([])).toBe(0);
});
