'use strict';

class Cart {
  constructor() {
    this.lines = [];
  }

  add(name, price, count = 1) {
    if (count < 1) throw new RangeError('count');
    this.lines.push({ name, price, count });
  }

  net() {
    return this.lines.reduce((sum, line) => sum + line.price * line.count, 0);
  }

  total(parts) {
    return this.net();
  }
}

module.exports = { Cart };
