// Proctor's way into tape: it loads the test files as tape's own program does, one by one, and listens to each test. A test
// that throws ends itself alone, where tape would end the whole run. It judges nothing.
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const { ask, say, raised, end, is_asked, ordered } = createRequire(import.meta.url)('./proctor_told.cjs')
const own = createRequire(path.join(ask.package, 'package.json'))
const here = createRequire(path.resolve('package.json'))
const tape = own(ask.package)

let passed = 0
let failed = 0
let broken = 0
const open = new Map()

function shown(value) {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}

function told(result) {
  // What the test was given as an error, or threw.
  if (result.operator === 'error' && result.actual instanceof Error) return raised(result.actual)
  const sides = 'expected' in result ? `\nexpected: ${shown(result.expected)}\nactual: ${shown(result.actual)}` : ''
  const name = String(result.name)
  // tape's own complaints about how the test was written.
  const complains = result.operator === 'fail' && (name === '.end() already called' || / timed out after \d+ms$/.test(name))
  return { ...raised(result.error ?? {}), message: `${name}${sides}`, compared: !complains && !result.exiting }
}

function listen(test, file, above) {
  const at = { file, names: [...above, test.name] }
  const errors = []
  const body = test._cb
  let began
  open.set(test, at)
  if (body) {
    test._cb = function (...given) {
      try {
        return body.apply(this, given)
      } catch (error) {
        errors.push(raised(error))
        test.fail('it threw')
        if (!test.ended) test.end()
      }
    }
  }
  test.once('prerun', () => {
    began = Date.now()
    if (is_asked(file, at.names)) say({ event: 'start', ...at })
  })
  test.on('test', (inner) => listen(inner, file, at.names))
  test.on('result', (result) => {
    if (typeof result !== 'string' && !result.ok && !result.todo) errors.push(told(result))
  })
  test.once('end', () => over(test, began, errors))
}

function over(test, began, errors) {
  const at = open.get(test)
  open.delete(test)
  if (at === undefined || !is_asked(at.file, at.names)) return
  if (began !== undefined) say({ event: 'done', ...at })
  const left = Boolean(test._skip) || !test._cb || began === undefined
  const state = left ? 'skipped' : test._todo ? 'todo' : errors.length > 0 ? 'failed' : 'passed'
  if (state === 'passed') passed += 1
  if (state === 'failed') failed += 1
  say({ event: 'case', kind: 'test', ...at, state, expected: false, tries: 1, ms: began === undefined ? 0 : Date.now() - began, errors })
}

/** What the project's command names. */
function named(words) {
  const { loads, patterns } = { loads: [], patterns: [] }
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-r' || word === '--require') loads.push(words.shift())
    else if (word.startsWith('--require=')) loads.push(word.slice('--require='.length))
    else if (!word.startsWith('-')) patterns.push(word)
  }
  const glob = own('glob')
  const files = patterns.flatMap((one) => (glob.hasMagic(one) ? glob.sync(one) : [one]))
  return { loads, files: files.map((one) => here.resolve(path.resolve(one))) }
}

say({ event: 'begin' })
tape.wait()
const { loads, files } = named(process.argv.slice(3))
for (const name of loads) here(name)
const harness = tape.getHarness()
const known = new Set()
let current = null
// What is skipped so is told to nobody.
const { skip } = tape
tape.skip = (...words) => {
  const names = [words.find((word) => typeof word === 'string') ?? '(anonymous)']
  if (current !== null && is_asked(current, names)) {
    say({ event: 'case', kind: 'test', file: current, names, state: 'skipped', expected: false, tries: 1, ms: 0, errors: [] })
  }
  return skip?.apply(tape, words)
}
for (const file of ordered(ask.files ?? (files.length > 0 ? files : ask.sources))) {
  current = file
  try {
    await import(pathToFileURL(file))
  } catch (error) {
    broken += 1
    say({ event: 'suite-error', file, names: [], errors: [raised(error)] })
  }
  for (const test of harness._results.tests) {
    if (!known.has(test)) listen(test, file, [])
    known.add(test)
  }
}
current = null
harness._results.once('done', () => {
  // Left out by `only`.
  for (const test of [...open.keys()]) over(test, undefined, [])
  const fine = harness._exitCode === 0 && broken === 0
  end(fine, { passed, failed })
  // What tests leave open must not keep a finished run alive.
  setImmediate(() => process.exit(fine ? 0 : 1))
})
tape.run()
