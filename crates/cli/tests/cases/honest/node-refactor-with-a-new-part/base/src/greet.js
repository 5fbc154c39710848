export function greet(name, hour) {
  let word = 'Good day';
  if (hour < 12) {
    word = 'Good morning';
  }
  return `${word}, ${name}!`;
}
