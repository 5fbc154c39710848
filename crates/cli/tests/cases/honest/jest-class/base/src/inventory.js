class Inventory {
  constructor() {
    this.items = new Map();
  }

  add(name, count = 1) {
    this.items.set(name, (this.items.get(name) || 0) + count);
    return this;
  }

  count(name) {
    return this.items.get(name) || 0;
  }
}

module.exports = Inventory;
