import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { debounce } from './debounce.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('it waits', () => {
  const seen = [];
  debounce((value) => seen.push(value), 50)(1);
  expect(seen).toEqual([]);
  vi.advanceTimersByTime(50);
  expect(seen).toEqual([1]);
});
