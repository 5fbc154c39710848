export default [
  'Hello World', 'hello-world',
  'Über uns', 'ueber-uns',
  'A & B', 'a-and-b',
];
