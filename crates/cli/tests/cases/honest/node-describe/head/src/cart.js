export class Cart {
  items = new Map();

  add(name, count) {
    this.items.set(name, (this.items.get(name) ?? 0) + count);
  }
}
