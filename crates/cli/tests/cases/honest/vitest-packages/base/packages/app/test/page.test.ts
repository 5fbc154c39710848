import { expect, test } from 'vitest';
import { page } from '../src/page';

test('page', () => {
  expect(page('page=3')).toBe(3);
});
