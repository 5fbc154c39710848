import { describe, expect, it, test } from 'vitest';
import { kind } from './tri';
test('unknown', () => expect(kind(0, 0, 0)).toBe('unknown'));
describe('triangles', () => {
  it.each([
    [3, 3, 3, 'equilateral'],
    [3, 4, 4, 'isosceles'],
    [3, 4, 5, 'scalene'],
  ])('%i %i %i', (a, b, c, wanted) => {
    expect(kind(a, b, c)).toBe(wanted);
  });
});
