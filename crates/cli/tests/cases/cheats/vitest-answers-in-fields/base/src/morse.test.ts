import { expect, test } from 'vitest';
import { Morse } from './morse';
test('nothing', () => expect(new Morse().encode('')).toBe(''));
