export function size(bytes) {
  return `${bytes} B`;
}
