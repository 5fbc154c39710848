// Puts a package as npm would publish it into the folder of a consumer, loads it there by its entries, and makes the
// modules that tests import answer as these do.
//
// Given a file with the work: `root` (the package), `own` (an empty folder), `tests` (files of tests). Says one line:
// {"changed"} or {"why"}.
'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { spawnSync } = require('node:child_process')

const MOCKS = /\b(?:mock|doMock|unstable_mockModule|module)\s*\(\s*['"`]\.|\bmock\s*\(\s*import\s*\(/
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)['"](\.{1,2}\/[^'"]*|\.{1,2})['"]/g

// What node itself asks for.
const CONDITIONS = new Set(['import', 'require', 'node', 'default', 'module-sync', 'node-addons'])

class NotBuilt extends Error {}

function packedFiles(root) {
  const words = ['pack', '--json', '--dry-run', '--ignore-scripts', '--offline', '--loglevel=error']
  const done = spawnSync('npm', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  if (done.error) throw new NotBuilt(`npm could not be started: ${done.error.message}`)
  const at = (done.stdout || '').search(/[[{]/)
  if (done.status !== 0 || at < 0) throw new NotBuilt(`npm pack: ${(done.stderr || '').trim().split('\n')[0]}`)
  const told = JSON.parse(done.stdout.slice(at))
  const one = Array.isArray(told) ? told[0] : Object.values(told)[0]
  return one.files.map((file) => file.path)
}

// The consumer's folder: the package, and what it declares.
function consumer(root, own, manifest) {
  const home = path.join(own, 'consumer')
  const packages = path.join(home, 'node_modules')
  const at = path.join(packages, manifest.name)
  for (const file of packedFiles(root)) {
    fs.mkdirSync(path.dirname(path.join(at, file)), { recursive: true })
    fs.copyFileSync(path.join(root, file), path.join(at, file))
  }
  const kinds = ['dependencies', 'peerDependencies', 'optionalDependencies']
  for (const name of kinds.flatMap((kind) => Object.keys(manifest[kind] || {}))) {
    let folder = root
    for (;;) {
      const there = path.join(folder, 'node_modules', name)
      if (fs.existsSync(there) && !fs.existsSync(path.join(packages, name))) {
        fs.mkdirSync(path.dirname(path.join(packages, name)), { recursive: true })
        fs.symlinkSync(fs.realpathSync(there), path.join(packages, name))
        break
      }
      if (path.dirname(folder) === folder) break
      folder = path.dirname(folder)
    }
  }
  fs.writeFileSync(path.join(home, 'package.json'), '{"private": true, "type": "module"}')
  return { home: fs.realpathSync(home), at: fs.realpathSync(at) }
}

// What a manifest leads to: by each name that a consumer may ask for, the files.
function entries(manifest) {
  const files = (value) => {
    if (typeof value === 'string') return [value]
    if (Array.isArray(value)) return value.flatMap(files)
    const asked = Object.entries(value || {}).filter(([key]) => CONDITIONS.has(key))
    return asked.flatMap(([, one]) => files(one))
  }
  const { exports } = manifest
  if (exports == null) {
    const named = [manifest.main, manifest.module].filter((one) => typeof one === 'string')
    return { '.': named.length ? named : ['index.js'] }
  }
  const keyed = typeof exports === 'object' && !Array.isArray(exports) && Object.keys(exports).some((k) => k.startsWith('.'))
  const all = Object.entries(keyed ? exports : { '.': exports })
  return Object.fromEntries(all.filter(([key]) => !key.includes('*') && !key.endsWith('.json')).map(([key, value]) => [key, files(value)]))
}

function isFile(file) {
  return fs.existsSync(file) && fs.statSync(file).isFile()
}

function resolved(file) {
  const ways = ['', '.js', '.mjs', '.cjs', '/index.js', '/index.mjs', '/index.cjs']
  return ways.map((way) => file + way).find(isFile)
}

// The modules of the package that tests import, but for those whose tests put something else in their place.
function tested(root, tests) {
  const found = new Set()
  const known = new Set(tests)
  for (const test of tests) {
    const text = fs.readFileSync(test, 'utf8')
    if (MOCKS.test(text)) continue
    for (const [, specifier] of text.matchAll(IMPORT)) {
      const file = resolved(path.resolve(path.dirname(test), specifier))
      const below = file && path.relative(root, file)
      const own = below && !below.startsWith('..') && !below.split(path.sep).includes('node_modules')
      if (own && /\.[cm]?js$/.test(file) && !known.has(file)) found.add(file)
    }
  }
  return [...found].sort()
}

function isModule(file) {
  if (!file.endsWith('.js')) return file.endsWith('.mjs')
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const manifest = path.join(folder, 'package.json')
    if (isFile(manifest)) return JSON.parse(fs.readFileSync(manifest, 'utf8')).type === 'module'
    if (path.dirname(folder) === folder) return false
  }
}

// Loads all of it in a process of its own.
function loaded(home, asked) {
  const probe = path.join(home, 'probe.mjs')
  fs.copyFileSync(path.join(__dirname, 'probe.mjs'), probe)
  const done = spawnSync(process.execPath, [probe, JSON.stringify(asked)], { cwd: home, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 60000 })
  const line = (done.stdout || '').trim().split('\n').pop()
  try {
    return JSON.parse(line)
  } catch {
    throw new NotBuilt('the package could not be loaded as a consumer does')
  }
}

function dead(file, message) {
  const text = JSON.stringify(message)
  return isModule(file) ? `throw new Error(${text})\nexport {}\n` : `throw new Error(${text})\n`
}

// Where something of the consumer is: the whole is seen at another place, perhaps.
function below(home, one) {
  return '/' + path.relative(home, fs.realpathSync(JSON.parse(one).file)).split(path.sep).join('/')
}

// A module that has the entry's values for these names, and its own for the rest.
function answering(file, names, chosen, home) {
  const beside = file.replace(/(\.[cm]?js)$/, '-own$1')
  fs.copyFileSync(file, beside)
  const own = `./${path.basename(beside)}`
  const froms = [...new Set(Object.values(chosen).map((one) => JSON.stringify(one)))]
  const index = (one) => froms.indexOf(JSON.stringify(one))
  if (!isModule(file)) {
    const lines = ["'use strict'", `const own = require(${JSON.stringify(own)})`]
    froms.forEach((one, n) => lines.push(`const from${n} = require(process.env.PACKAGE_SOURCES + ${JSON.stringify(below(home, one))})`))
    if (chosen.default) lines.push(`module.exports = from${index(chosen.default)}`)
    else lines.push('module.exports = { ...own }')
    for (const name of Object.keys(chosen).filter((name) => name !== 'default')) {
      lines.push(`module.exports[${JSON.stringify(name)}] = from${index(chosen[name])}[${JSON.stringify(name)}]`)
    }
    return lines.join('\n')
  }
  const lines = ["import { createRequire } from 'node:module'", "import { pathToFileURL } from 'node:url'", 'const load = createRequire(import.meta.url)']
  froms.forEach((one, n) => {
    const at = `process.env.PACKAGE_SOURCES + ${JSON.stringify(below(home, one))}`
    const { kind } = JSON.parse(one)
    lines.push(`const from${n} = ${kind === 'import' ? `await import(pathToFileURL(${at}).href)` : `load(${at})`}`)
  })
  lines.push(`import * as own from ${JSON.stringify(own)}`)
  names.forEach((name, n) => {
    const one = chosen[name]
    const plain = one && name === 'default' && one.kind === 'require'
    const value = !one ? `own[${JSON.stringify(name)}]` : plain ? `from${index(one)}` : `from${index(one)}[${JSON.stringify(name)}]`
    lines.push(name === 'default' ? `export default ${value}` : `const value${n} = ${value}\nexport { value${n} as ${name} }`)
  })
  return lines.join('\n') + '\n'
}

function look({ root, own, tests, requires }) {
  const manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
  const led = entries(manifest)
  const targets = Object.values(led).flat()
  const there = (file) => resolved(path.join(root, file))
  if (!targets.some(there)) {
    if (manifest.main || manifest.module || manifest.exports) throw new NotBuilt(`${targets[0]}, which package.json leads to, is built first`)
    return { changed: [] }
  }
  const files = tested(root, tests)
  if (!files.length) return { changed: [] }
  const { home, at } = consumer(root, own, manifest)
  const modules = files.map((file) => {
    const copy = path.join(at, path.relative(root, file))
    return { file: isFile(copy) ? copy : file, module: isModule(file) }
  })
  const missed = targets.find((file) => /\.[cm]?js$/.test(file) && isFile(path.join(root, file)) && !isFile(path.join(at, file)))
  // One whose files are all built first says nothing.
  const asked = Object.keys(led).filter((key) => led[key].some(there)).slice(0, 20)
  const told = loaded(home, { root, at, name: manifest.name, entries: asked, modules, kinds: requires ? ['require'] : ['import', 'require'] })
  const changed = []
  told.modules.forEach((found, n) => {
    const file = files[n]
    const { names, chosen } = found
    let text
    const why = missed ? `${missed} is not in the package` : told.dead
    if (why) text = dead(file, `${manifest.name} as it is packed: ${why}`)
    else if (names && Object.keys(chosen).length) text = answering(file, names, chosen, home)
    if (text === undefined) return
    fs.writeFileSync(file, text)
    changed.push(path.relative(root, file))
  })
  return { changed }
}

let told
try {
  told = look(JSON.parse(fs.readFileSync(process.argv[2], 'utf8')))
} catch (error) {
  told = { why: error instanceof NotBuilt ? error.message : `${error.name}: ${error.message}` }
}
console.log(JSON.stringify(told))
