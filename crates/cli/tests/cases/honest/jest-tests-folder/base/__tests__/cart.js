const Cart = require('../lib/cart');

describe('a cart', () => {
  it('holds one thing', () => {
    const cart = new Cart();
    cart.add('pear', 2);
    expect(cart.items).toEqual({ pear: 2 });
  });
});
