import { expect, test } from 'vitest';
import { tax } from './tax';
test('zero', () => expect(tax(0)).toBe(0));
test('hundred', () => expect(tax(100)).toBeCloseTo(19));
