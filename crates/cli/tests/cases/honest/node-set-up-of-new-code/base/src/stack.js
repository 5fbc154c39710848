export class Stack {
  constructor() {
    throw new Error('still to be written');
  }
}
