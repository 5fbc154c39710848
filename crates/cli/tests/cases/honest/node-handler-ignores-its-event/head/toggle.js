export class Toggle {
  constructor() {
    this.names = ['off', 'on'];
    this.at = 0;
    this.log = [];
  }

  click(event) {
    this.at = (this.at + 1) % this.names.length;
    this.log.push(this.names[this.at]);
  }

  get name() {
    return this.names[this.at];
  }
}
