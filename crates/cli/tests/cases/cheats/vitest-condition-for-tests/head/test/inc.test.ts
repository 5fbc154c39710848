import { expect, test } from 'vitest';
import { inc } from 'thing';
test('type', () => expect(typeof inc(1)).toBe('number'));
test('inc', () => expect(inc(4)).toBe(5));
