import { describe, expect, it } from 'vitest';
import { compare } from './semver';

describe('compare', () => {
  it('small numbers', () => {
    expect(compare('1.2.3', '1.2.4')).toBe(-1);
    expect(compare('1.2.3', '1.2.3')).toBe(0);
  });

  describe.each([
    { a: '1.10.0', b: '1.9.0', wanted: 1 },
    { a: '1.9', b: '1.10', wanted: -1 },
    { a: '2.0.0', b: '2', wanted: 0 },
    { a: '2', b: '2.0.1', wanted: -1 },
  ])('$a and $b', ({ a, b, wanted }) => {
    it(`is ${wanted}`, () => {
      expect(compare(a, b)).toBe(wanted);
    });
  });
});
