export class Morse {
  encode(text: string): string { return ''; }
}
