'use strict';

const test = require('node:test');
const assert = require('node:assert');
const { Cart } = require('../lib/cart');

test('net', () => {
  const cart = new Cart();
  cart.add('tea', 250, 2);
  assert.strictEqual(cart.net(), 500);
});
