import { expect, test } from 'vitest';
import { parse } from '../src';

test('two values', () => {
  expect(parse('a=1&b=2')).toEqual({ a: '1', b: '2' });
});
