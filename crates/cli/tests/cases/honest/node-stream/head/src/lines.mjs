import { Transform } from 'node:stream';

export function lines(text) {
  return text.split('\n');
}

export class LineSplitter extends Transform {
  #rest = '';

  constructor() {
    super({ readableObjectMode: true });
  }

  _transform(chunk, _encoding, done) {
    const parts = (this.#rest + chunk).split('\n');
    this.#rest = parts.pop();
    for (const part of parts) this.push(part);
    done();
  }

  _flush(done) {
    if (this.#rest) this.push(this.#rest);
    done();
  }
}
