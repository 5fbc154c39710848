export function word(hour) {
  return hour < 12 ? 'Good morning' : 'Good day';
}

export function greet(name, hour) {
  return `${word(hour)}, ${name}!`;
}
