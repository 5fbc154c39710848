import { expect, test } from 'vitest';
import { receipt } from './receipt.js';

test('no rows', () => {
  expect(receipt([]).filter((line) => line.startsWith('tea'))).toEqual([]);
});

test('a total', () => {
  expect(receipt([['tea', 2], ['cake', 3]])).toMatchInlineSnapshot(`
    [
      "tea 2",
      "cake 3",
      "total 5",
    ]
  `);
});
