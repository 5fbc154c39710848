import { expect, test } from 'vitest';
import { roman } from './roman.js';

test('three', () => {
  expect(roman(3)).toBe('III');
});

test('four', () => {
  expect(roman(4)).toMatchSnapshot();
});
