// Proctor's way into node-tap: it starts tap's own program, which runs each test file in a process of its own, and reads the
// TAP that it writes with tap's own parser. It judges nothing.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const { ask, say, raised, end, is_asked } = createRequire(import.meta.url)('./proctor_told.cjs')
const own = createRequire(path.join(ask.package, 'package.json'))
const loaded = own('tap-parser')
const Parser = loaded.Parser ?? loaded.default ?? loaded
const [major] = own('./package.json').version.split('.').map(Number)

let passed = 0
let failed = 0
/** Files of which it is told already what is wrong. */
const bad = new Set()

/** A stack of tap's has paths below the folder, and frames without a word before them. */
function frames(stack, at) {
  const lines = String(stack ?? '').split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0 && at?.fileName) lines.push(`${at.fileName}:${at.lineNumber}:${at.columnNumber}`)
  return lines.map((line) => {
    const found = /^(.*?)\(?((?:file:\/\/|\/)?[^\s()]+):(\d+):(\d+)\)?$/.exec(line.trim().replace(/^at /, ''))
    if (found === null) return ''
    const file = found[2].startsWith('file://') ? fileURLToPath(found[2]) : path.resolve(found[2])
    return `    at ${found[1].trim() || '<anonymous>'} (${file}:${found[3]}:${found[4]})`
  }).filter((line) => line !== '').join('\n')
}

function told(result) {
  const diag = result.diag ?? {}
  const thrown = diag.tapCaught !== undefined
  const name = thrown ? diag.errorType ?? diag.type ?? diag.name ?? 'Error' : ''
  const message = thrown ? diag.message ?? result.name : `${result.name}${diag.diff ? `\n${diag.diff}` : ''}`
  const plain = ['timeout', 'expired'].some((word) => diag[word] !== undefined) || diag.signal || diag.tapCaught === 'returnedPromiseRejection' && diag.stack === undefined
  return { ...raised({ name, message, code: diag.code, stack: `${name ? `${name}: ` : ''}${message}\n${frames(diag.stack, diag.at)}` }), compared: !thrown && !plain }
}

/** Listens to a test, or to a file, which is the outermost of them. Gives what failed in it. */
function listen(parser, file, names) {
  const errors = []
  let inner = null
  parser.on('child', (child) => {
    const name = child.name.replace(/^Subtest: /, '')
    const here = file === null ? { file: path.resolve(name), names } : { file, names: [...names, name] }
    if (here.names.length > 0 && is_asked(here.file, here.names)) say({ event: 'start', ...here })
    inner = { name, here, errors: listen(child, here.file, here.names) }
  })
  parser.on('assert', (result) => {
    const ended = inner !== null && result.name === inner.name ? inner : null
    inner = null
    if (ended === null && file !== null) {
      if (result.skip || result.todo) {
        const skipped = { file, names: [...names, result.name] }
        const why = typeof result.skip === 'string' ? result.skip : undefined
        if (is_asked(file, skipped.names)) say({ event: 'case', kind: 'test', ...skipped, state: result.skip ? 'skipped' : 'todo', expected: false, tries: 1, ms: 0, why, errors: [] })
        return
      }
      if (result.ok) return
      if (names.length > 0) errors.push(told(result))
      else broke(file, told(result))
      return
    }
    const at = ended?.here ?? { file: path.resolve(result.name), names: [] }
    if (at.names.length === 0) {
      if (!result.ok && !bad.has(at.file)) broke(at.file, { ...told(result), compared: false })
      return
    }
    const state = result.skip ? 'skipped' : result.todo ? 'todo' : result.ok ? 'passed' : 'failed'
    if (state === 'failed') {
      bad.add(at.file)
      errors.push(...ended.errors)
    }
    if (!is_asked(at.file, at.names)) return
    say({ event: 'done', ...at })
    if (state === 'passed') passed += 1
    if (state === 'failed') failed += 1
    say({ event: 'case', kind: 'test', ...at, state, expected: false, tries: 1, ms: Math.round(result.time ?? 0), errors: state === 'failed' ? (ended.errors.length > 0 ? ended.errors : [told(result)]) : [] })
  })
  return errors
}

function broke(file, error) {
  bad.add(file)
  say({ event: 'suite-error', file, names: [], errors: [error] })
}

say({ event: 'begin' })
const parser = new Parser()
listen(parser, null, [])
const ours = major >= 18 ? ['--reporter=tap', '--disable-coverage', '--allow-incomplete-coverage', '--allow-empty-coverage'] : ['--reporter=tap', '--no-coverage', '--no-check-coverage']
const words = [...process.argv.slice(2), ...ours, '--no-bail', ...(ask.files ?? [])]
const loads = path.join(path.dirname(fileURLToPath(import.meta.url)), 'proctor_loads.cjs')
const env = { ...process.env, NODE_OPTIONS: `--require=${loads}` }
const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'], env })
child.stdout.pipe(parser)
const exit = new Promise((done) => child.on('close', (code) => done(code ?? 1)))
const results = await new Promise((done) => parser.on('complete', done))
const code = await exit
end(results.ok && code === 0, { passed, failed })
process.exitCode = code
