import { expect, test } from 'vitest';
import { add } from './money.js';

test('nothing changes nothing', () => {
  expect(add({ cents: 5 }, { cents: 0 })).toEqual({ cents: 5 });
});
