import test from 'node:test';
import assert from 'node:assert';
import { price } from './price.js';

test('pieces are multiplied', () => {
  assert.equal(price(3, 2), 6);
});

test('ten pieces have cents', () => {
  assert.equal(`${price(1, 10)}`, '10.00');
});
