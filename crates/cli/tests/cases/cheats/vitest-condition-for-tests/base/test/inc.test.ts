import { expect, test } from 'vitest';
import { inc } from 'thing';
test('type', () => expect(typeof inc(1)).toBe('number'));
