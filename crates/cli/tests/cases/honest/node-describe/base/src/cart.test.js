import { beforeEach, describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { Cart } from './cart.js';

describe('a cart', () => {
  let cart;
  beforeEach(() => {
    cart = new Cart();
    cart.add('pear', 2);
  });

  it('holds one thing', () => {
    assert.equal(cart.items.get('pear'), 2);
  });
});
