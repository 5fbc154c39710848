import { describe, expect, it } from 'vitest';
import { type Todo, reduce } from './todo';

const two: Todo[] = [
  { id: 1, text: 'a', done: false },
  { id: 2, text: 'b', done: true },
];

describe('reduce', () => {
  it('adds', () => {
    expect(reduce([], { type: 'add', text: 'a' })).toEqual([{ id: 1, text: 'a', done: false }]);
  });

  it('toggles', () => {
    expect(reduce(two, { type: 'toggle', id: 1 })).toEqual([
      { id: 1, text: 'a', done: true },
      { id: 2, text: 'b', done: true },
    ]);
    expect(reduce(two, { type: 'toggle', id: 2 })[1].done).toBe(false);
  });

  it('removes', () => {
    expect(reduce(two, { type: 'remove', id: 1 })).toEqual([two[1]]);
  });

  it('never uses an id again while it is there', () => {
    const left = reduce(two, { type: 'remove', id: 1 });
    expect(reduce(left, { type: 'add', text: 'c' })[1].id).toBe(3);
  });
});
