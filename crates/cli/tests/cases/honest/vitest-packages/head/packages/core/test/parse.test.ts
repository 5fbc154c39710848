import { expect, test } from 'vitest';
import { parse } from '../src';

test('two values', () => {
  expect(parse('a=1&b=2')).toEqual({ a: '1', b: '2' });
});

test('nothing', () => {
  expect(parse('')).toEqual({});
  expect(parse('?')).toEqual({});
});

test('escapes and equal signs', () => {
  expect(parse('?q%20=a%26b&e=1=2')).toEqual({ 'q ': 'a&b', e: '1=2' });
});
