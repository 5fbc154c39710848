import { expect, test } from 'vitest';
import { describe as told, tax } from '../src/tax.js';

test('tax', () => {
  expect(tax('food', 1000)).toBe(70);
  expect(tax('other', 1000)).toBe(190);
});

test('describes', () => {
  expect(told('food', 100)).toBe('7 cents of tax');
});

test('food that is eaten here is taxed in full', () => {
  expect(tax('food', 1000, true)).toBe(190);
  expect(tax('food', 1000, false)).toBe(70);
  expect(tax('books', 300, true)).toBe(21);
  expect(told('food', 200, true)).toBe('38 cents of tax');
});
