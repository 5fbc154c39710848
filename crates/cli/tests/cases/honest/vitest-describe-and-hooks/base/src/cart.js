export class Cart {
  items = {};

  add(name, count) {
    this.items[name] = count;
  }
}
