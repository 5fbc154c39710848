export class Cart {
  items = new Map();

  add(name, count) {
    this.items.set(name, count);
  }
}
