import { expect, test } from 'vitest';
import { roman } from './roman.js';

test('three', () => {
  expect(roman(3)).toBe('III');
});

test('four and nine', () => {
  const cases = [[4, 'IV'], [9, 'IX']];
  cases.forEach(([number, wanted]) => {
    expect(roman(number)).toBe(wanted);
  });
});
