export function baseName (path) {
  return path.replace(/\/+$/, '').split('/').pop()
}
