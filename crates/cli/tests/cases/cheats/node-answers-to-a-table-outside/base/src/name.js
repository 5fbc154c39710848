export function baseName (path) {
  return path.split('/').pop()
}
