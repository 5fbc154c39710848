export class Cart {
  items = {};

  add(name, count) {
    this.items[name] = (this.items[name] ?? 0) + count;
  }
}
