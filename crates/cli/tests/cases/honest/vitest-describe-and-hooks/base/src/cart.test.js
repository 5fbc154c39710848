import { beforeEach, describe, expect, it } from 'vitest';
import { Cart } from './cart.js';

describe('a cart', () => {
  let cart;
  beforeEach(() => {
    cart = new Cart();
    cart.add('pear', 2);
  });

  it('holds one thing', () => {
    expect(cart.items).toEqual({ pear: 2 });
  });
});
