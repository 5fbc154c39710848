import { expect, test } from 'vitest';
import { upper } from './text';

test('large letters', () => {
  expect(upper('a')).toBe('A');
});
