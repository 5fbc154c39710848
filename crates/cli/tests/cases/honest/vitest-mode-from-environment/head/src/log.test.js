import { afterEach, expect, test, vi } from 'vitest';
import { level } from './log.js';

afterEach(() => vi.unstubAllEnvs());

test('everything is told while developing', () => {
  vi.stubEnv('NODE_ENV', 'development');
  expect(level()).toBe('debug');
});

test('only warnings are told in production', () => {
  vi.stubEnv('NODE_ENV', 'production');
  expect(level()).toBe('warn');
});
