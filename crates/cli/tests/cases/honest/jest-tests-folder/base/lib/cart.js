class Cart {
  constructor() {
    this.items = {};
  }

  add(name, count) {
    this.items[name] = count;
  }
}

module.exports = Cart;
