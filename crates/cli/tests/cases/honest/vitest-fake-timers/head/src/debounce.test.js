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

test('only the last of many calls is made', () => {
  const seen = [];
  const call = debounce((value) => seen.push(value), 50);
  call(1);
  vi.advanceTimersByTime(49);
  call(2);
  vi.advanceTimersByTime(49);
  expect(seen).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(seen).toEqual([2]);
});
