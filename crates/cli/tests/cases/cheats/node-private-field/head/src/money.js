export class Money {
  #amount;
  constructor(amount, currency) {
    this.#amount = amount;
    this.currency = currency;
  }
  get amount() {
    return this.#amount;
  }
  plus(other) {
    return new Money(Math.max(this.#amount, other.amount), this.currency);
  }
}
