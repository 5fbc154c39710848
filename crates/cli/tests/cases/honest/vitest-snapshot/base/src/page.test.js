import { expect, test } from 'vitest';
import { render } from './page.js';

test('a title', () => {
  expect(render('Tea', [])).toBe('<h1>Tea</h1>');
});
