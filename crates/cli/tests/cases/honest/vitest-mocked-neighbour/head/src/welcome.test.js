import { beforeEach, expect, test, vi } from 'vitest';
import { send } from './send.js';
import { welcome } from './welcome.js';

vi.mock('./send.js', () => ({ send: vi.fn() }));
beforeEach(() => send.mockClear());

test('a mail goes to the user', () => {
  welcome({ mail: 'a@example.com', name: '' });
  expect(send.mock.calls[0][0]).toBe('a@example.com');
});

test('the user is called by name', () => {
  welcome({ mail: 'b@example.com', name: 'Bob' });
  expect(send.mock.calls).toEqual([['b@example.com', 'Hello Bob']]);
});
