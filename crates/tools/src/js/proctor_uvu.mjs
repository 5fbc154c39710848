// Proctor's way into uvu: it loads the test files as uvu's own program does, one by one, and wraps each test as it is
// defined, since uvu tells of them in prose alone. It judges nothing.
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const { ask, say, raised, end, is_asked, ordered } = createRequire(import.meta.url)('./proctor_told.cjs')
const own = createRequire(path.join(ask.package, 'package.json'))
const { parse } = own('./parse')

let passed = 0
let failed = 0
let broken = 0
let current = null

/** The words of the project's command: a folder, a pattern, modules to load, patterns to leave out. */
function named(words) {
  const found = { plain: [], require: [], ignore: [] }
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const [head, value] = word.split(/=(.*)/s)
    if (head === '-r' || head === '--require') found.require.push(value ?? words.shift())
    else if (head === '-i' || head === '--ignore') found.ignore.push(value ?? words.shift())
    else if (!word.startsWith('-')) found.plain.push(word)
  }
  return found
}

/** A test with its name, that tells how it ends. Not asked for, it does nothing. */
function told(definition, file) {
  const { name, handler } = definition
  return {
    name,
    async handler(state, ...rest) {
      const names = state?.__suite__ ? [state.__suite__, name] : [name]
      if (!is_asked(file, names)) return
      const began = Date.now()
      const ended = (word, errors) => {
        say({ event: 'done', file, names })
        say({ event: 'case', kind: 'test', file, names, state: word, expected: false, tries: 1, ms: Date.now() - began, errors })
      }
      say({ event: 'start', file, names })
      try {
        await handler.call(this, state, ...rest)
      } catch (error) {
        failed += 1
        ended('failed', [raised(error)])
        throw error
      }
      passed += 1
      ended('passed', [])
    },
  }
}

// A definition is put into a list of uvu's that nobody else can reach.
const { push } = Array.prototype
function watched(...given) {
  const [one] = given
  const defines = current !== null && given.length === 1 && one !== null && typeof one === 'object' && typeof one.handler === 'function' && 'name' in one && Object.keys(one).length === 2
  return push.apply(this, defines ? [told(one, current)] : given)
}

say({ event: 'begin' })
globalThis.UVU_DEFER = 1
const given = named(process.argv.slice(3))
const { suites } = await parse(given.plain[0], given.plain[1], { require: given.require, ignore: given.ignore })
const uvu = await import(pathToFileURL(path.join(ask.package, 'dist/index.mjs')))
// uvu only counts what is skipped.
for (const { test } of [uvu, own('./dist/index.js')]) {
  const { skip } = test
  test.skip = (name, ...rest) => {
    if (current !== null && typeof name === 'string' && is_asked(current, [name])) {
      say({ event: 'case', kind: 'test', file: current, names: [name], state: 'skipped', expected: false, tries: 1, ms: 0, errors: [] })
    }
    return skip(name, ...rest)
  }
}
const wanted = ordered(suites.map((one) => path.resolve(one.file)).filter((file) => ask.files === null || ask.files.includes(file)))
let runs = 0
for (const [index, file] of wanted.entries()) {
  const group = [null]
  globalThis.UVU_QUEUE[index] = group
  globalThis.UVU_INDEX = index
  current = file
  Array.prototype.push = watched
  try {
    await import(pathToFileURL(file))
  } catch (error) {
    broken += 1
    say({ event: 'suite-error', file, names: [], errors: [raised(error)] })
  } finally {
    Array.prototype.push = push
    current = null
  }
  for (const [at, run] of group.entries()) {
    if (run === null) continue
    group[at] = async () => {
      try {
        const result = await run()
        runs += result[3] - result[1]
        return result
      } catch (error) {
        // A hook broke.
        broken += 1
        say({ event: 'suite-error', file, names: [], hook: 'beforeAll', errors: [raised(error)] })
        return ['broken', 0, 0, 0]
      }
    }
  }
}
await uvu.exec(false)
// uvu counts a test whose hook broke too.
end(runs === 0 && broken === 0, { passed, failed })
process.exit(process.exitCode || (broken > 0 ? 1 : 0))
