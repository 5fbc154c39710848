import { expect, test } from 'vitest';
import { describe as told, tax } from '../src/tax.js';

test('tax', () => {
  expect(tax('food', 1000)).toBe(70);
  expect(tax('other', 1000)).toBe(190);
});

test('describes', () => {
  expect(told('food', 100)).toBe('7 cents of tax');
});
