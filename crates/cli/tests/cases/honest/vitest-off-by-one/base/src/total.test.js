import { expect, test } from 'vitest';
import { total } from './total.js';

test('nothing costs nothing', () => {
  expect(total([])).toBe(0);
});
