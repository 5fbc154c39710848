'use strict';

const test = require('node:test');
const assert = require('node:assert');
const { Cart } = require('../lib/cart');

test('net', () => {
  const cart = new Cart();
  cart.add('tea', 250, 2);
  assert.strictEqual(cart.net(), 500);
});

test('total has the tax of the country', () => {
  const cart = new Cart();
  cart.add('tea', 250, 4);
  assert.strictEqual(cart.total(1), 1190);
  assert.strictEqual(cart.total(50), 1200);
});

test('total of another cart', () => {
  const cart = new Cart();
  cart.add('pot', 3500);
  assert.strictEqual(cart.total(1), 4165);
  assert.strictEqual(cart.total(100), 4200);
});
