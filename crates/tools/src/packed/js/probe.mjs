// A consumer: loads a package by its entries, and says of modules which of their names the entries answer with something else.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

const NO_ENTRY = new Set(['ERR_PACKAGE_PATH_NOT_EXPORTED', 'ERR_REQUIRE_ESM', 'ERR_REQUIRE_ASYNC_MODULE', 'ERR_UNKNOWN_FILE_EXTENSION'])
const asked = JSON.parse(process.argv[2])
const require = createRequire(import.meta.url)
const found = []
let dead

// Whether what is missing of the package is missing in the tree too.
function isBuiltFirst(line) {
  const file = /'([^']+)'/.exec(line)?.[1] ?? ''
  const below = file.startsWith(asked.at) ? file.slice(asked.at.length) : undefined
  return below !== undefined && !['', '.js', '.mjs', '.cjs', '.json', '/index.js'].some((way) => existsSync(asked.root + below + way))
}

function at(kind, specifier) {
  try {
    const file = kind === 'require' ? require.resolve(specifier) : fileURLToPath(import.meta.resolve(specifier))
    // What is built first is not there.
    return existsSync(file) ? file : undefined
  } catch {
    return undefined
  }
}

for (const entry of asked.entries) {
  const specifier = asked.name + entry.slice(1)
  for (const kind of asked.kinds) {
    const file = at(kind, specifier)
    if (!file) continue
    try {
      const values = kind === 'require' ? require(specifier) : await import(specifier)
      found.push({ kind, file, values })
    } catch (error) {
      const line = String(error && error.message).split('\n')[0]
      if (isBuiltFirst(line)) continue
      if (!NO_ENTRY.has(error?.code) && !/Cannot use import statement|Unexpected token 'export'/.test(line)) dead ??= line.replaceAll(asked.at + '/', '')
    }
  }
}

const holds = (values) => values !== null && (typeof values === 'object' || typeof values === 'function')

async function looked({ file, module }) {
  let own
  try {
    own = module ? await import(pathToFileURL(file).href) : require(file)
  } catch {
    return { names: null, chosen: {} }
  }
  const names = holds(own) ? Object.keys(own).filter((name) => /^[\w$]+$/.test(name)) : []
  const chosen = {}
  // An entry of the other kind first: that of its own is most likely the module itself.
  const other = ({ kind }) => (kind === 'require') === module
  const order = [...found.filter(other), ...found.filter((one) => !other(one))]
  for (const { kind, file: from, values } of order) {
    if (!holds(values) || (kind === 'import' && !module)) continue
    for (const name of names) {
      if (name === 'default' || chosen[name] || !(name in values)) continue
      if (values[name] !== own[name]) chosen[name] = { kind, file: from }
    }
  }
  // What a module is as a whole, where an entry of the other kind leads to it.
  const leads = found.some((one) => one.file === file)
  if (leads && module && typeof own.default === 'function') {
    const twin = found.find((one) => one.kind === 'require' && one.file !== file && typeof one.values === 'function')
    if (twin && names.includes('default')) chosen.default = { kind: 'require', file: twin.file }
  }
  return { names, chosen }
}

const modules = []
for (const one of asked.modules) modules.push(await looked(one))
console.log(JSON.stringify({ dead, modules }))
process.exit(0)
