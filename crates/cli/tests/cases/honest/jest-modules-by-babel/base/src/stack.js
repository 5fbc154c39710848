export class Stack {
  values = [];

  push(value) {
    this.values.push(value);
  }

  pop() {
    return this.values.shift();
  }
}
