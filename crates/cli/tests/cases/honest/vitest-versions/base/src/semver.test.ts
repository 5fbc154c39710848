import { describe, expect, it } from 'vitest';
import { compare } from './semver';

describe('compare', () => {
  it('small numbers', () => {
    expect(compare('1.2.3', '1.2.4')).toBe(-1);
    expect(compare('1.2.3', '1.2.3')).toBe(0);
  });
});
