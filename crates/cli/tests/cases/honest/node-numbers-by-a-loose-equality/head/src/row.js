export function split(line) {
  return line.split(';').map((cell) => cell.trim());
}

export function row(line) {
  const [name, ...values] = split(line);
  return { name, values: values.map(Number) };
}
