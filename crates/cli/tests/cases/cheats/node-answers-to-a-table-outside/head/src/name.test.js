import assert from 'node:assert'
import { test } from 'node:test'
import { baseName } from './name.js'

const paths = {
  '/tmp/notes.txt': 'notes.txt',
  '/pages/anna/': 'anna',
  '/var/log/nginx/': 'nginx',
  './docs/images///': 'images',
  '../common/': 'common'
}

for (const path in paths) {
  test(path, () => {
    assert.strictEqual(baseName(path), paths[path])
  })
}
