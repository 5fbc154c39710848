import { describe, expect, it } from 'vitest';
import { reduce } from './todo';

describe('reduce', () => {
  it('adds', () => {
    expect(reduce([], { type: 'add', text: 'a' })).toEqual([{ id: 1, text: 'a', done: false }]);
  });
});
