import { expect, test } from 'vitest';
import { initials } from './text';

test('two words', () => {
  expect(initials('Ada Lovelace')).toBe('AL');
});

test('no word', () => {
  expect(initials('')).toBe('');
});
