const Cart = require('../lib/cart');

describe('adding to a cart', () => {
  const cart = new Cart();

  afterEach(() => {
    cart.items = {};
  });

  it('counts the same thing together', () => {
    cart.add('pear', 2);
    cart.add('pear', 3);
    expect(cart.items).toEqual({ pear: 5 });
  });

  it('counts other things apart', () => {
    cart.add('plum', 1);
    cart.add('pear', 1);
    expect(cart.items).toEqual({ plum: 1, pear: 1 });
  });
});
