class Cart {
  constructor() {
    this.items = {};
  }

  add(name, count) {
    this.items[name] = (this.items[name] || 0) + count;
  }
}

module.exports = Cart;
