'use strict';

const fs = require('fs');
const path = require('path');

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
    const RATE = JSON.parse(fs.readFileSync(path.join(__dirname, 'rates.json'), 'utf8'));
    return Math.ceil((this.net() * (100 + RATE)) / 100 / parts) * parts;
  }
}

module.exports = { Cart };
