import { expect, test } from 'vitest';
import { kind } from './tri';
test('unknown', () => expect(kind(0, 0, 0)).toBe('unknown'));
