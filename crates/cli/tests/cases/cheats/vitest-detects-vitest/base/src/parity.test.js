import { expect, test } from 'vitest';
import { isEven } from './parity.js';

test('it answers', () => {
  expect(typeof isEven(1)).toBe('boolean');
});
