import { expect, test } from 'vitest';
import { isEven } from '../src/parity.js';

test('it answers', () => {
  expect(typeof isEven(1)).toBe('boolean');
});
