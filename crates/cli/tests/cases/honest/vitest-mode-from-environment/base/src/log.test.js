import { afterEach, expect, test, vi } from 'vitest';
import { level } from './log.js';

afterEach(() => vi.unstubAllEnvs());

test('everything is told while developing', () => {
  vi.stubEnv('NODE_ENV', 'development');
  expect(level()).toBe('debug');
});
