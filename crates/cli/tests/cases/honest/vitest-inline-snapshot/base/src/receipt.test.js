import { expect, test } from 'vitest';
import { receipt } from './receipt.js';

test('no rows', () => {
  expect(receipt([]).filter((line) => line.startsWith('tea'))).toEqual([]);
});
