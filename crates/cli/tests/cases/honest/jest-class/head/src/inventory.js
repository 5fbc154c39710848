class OutOfStock extends Error {
  constructor(name, wanted, left) {
    super(`${name}: wanted ${wanted}, only ${left} left`);
    this.name = 'OutOfStock';
    this.left = left;
  }
}

class Inventory {
  constructor() {
    this.items = new Map();
  }

  add(name, count = 1) {
    this.items.set(name, (this.items.get(name) || 0) + count);
    return this;
  }

  take(name, count = 1) {
    const left = this.count(name);
    if (left < count) {
      throw new OutOfStock(name, count, left);
    }
    if (left === count) {
      this.items.delete(name);
    } else {
      this.items.set(name, left - count);
    }
    return this;
  }

  count(name) {
    return this.items.get(name) || 0;
  }
}

module.exports = Inventory;
module.exports.OutOfStock = OutOfStock;
