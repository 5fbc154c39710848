export class Stack<T> {
  private readonly values: T[] = [];

  push(value: T): void {
    this.values.push(value);
  }

  pop(): T | undefined {
    return this.values.shift();
  }
}
