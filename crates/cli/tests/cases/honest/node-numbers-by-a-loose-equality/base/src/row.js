export function split(line) {
  return line.split(';').map((cell) => cell.trim());
}

export function row(line) {
  const [name, ...rest] = split(line);
  return { name, values: rest.join(';') };
}
