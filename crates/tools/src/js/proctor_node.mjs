// Proctor's reporter for `node --test`: one JSON object a line, beside this file's folder. The same file is loaded into each
// test file's process, where it only writes down why a file could not be loaded. It judges nothing.
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const { writeSync, appendFileSync } = fs
const stringify = JSON.stringify
const here = path.dirname(fileURLToPath(import.meta.url))

function text(value) {
  return typeof value === 'string' ? value : ''
}

function raised(error, depth = 0) {
  const known = error !== null && typeof error === 'object' ? error : { message: String(error) }
  return {
    name: text(known.name),
    message: text(known.message),
    stack: text(known.stack),
    code: text(known.code),
    cause: known.cause && depth < 4 ? raised(known.cause, depth + 1) : undefined,
  }
}

if (process.env.NODE_TEST_CONTEXT !== undefined) {
  const file = process.argv[1]
  process.on('uncaughtExceptionMonitor', (error) => {
    appendFileSync(path.join(here, '..', 'js-loads.jsonl'), stringify({ file, error: raised(error) }) + '\n')
  })
}

/** What went wrong, without the wrapping that the test runner adds. */
function causes(error) {
  if (error === undefined) return []
  const inner = error.cause
  return [raised(inner !== null && typeof inner === 'object' ? inner : error)]
}

class Story {
  // A file that is already there is an error.
  channel = fs.openSync(path.join(here, '..', 'js.jsonl'), 'wx')
  cases = 0
  ok = true
  running = new Map()
  titles = new Map()
  children = new Map()

  say(line) {
    writeSync(this.channel, stringify(line) + '\n')
  }

  /** The titles that lead to a test, from the order in which tests are told of. */
  chain(kind, data) {
    const key = `${kind} ${data.file}`
    const list = (this.titles.get(key) ?? []).slice(0, data.nesting)
    list[data.nesting] = data.name
    this.titles.set(key, list)
    return Array.from(list, (title) => title ?? '')
  }

  is_file(data) {
    return data.nesting === 0 && data.file !== undefined && path.resolve(data.name) === data.file
  }

  dequeued(data) {
    if (this.is_file(data)) return
    const names = this.chain('dequeue', data)
    this.running.set(`${data.file}:${data.line}:${data.column}:${names.join('\n')}`, { file: data.file, names })
    this.say({ event: 'start', file: data.file, names })
  }

  completed(data) {
    for (const [key, at] of this.running) {
      const same = at.file === data.file && at.names.length === data.nesting + 1 && at.names.at(-1) === data.name
      if (same && key.startsWith(`${data.file}:${data.line}:${data.column}:`)) {
        this.running.delete(key)
        this.say({ event: 'done', file: at.file, names: at.names })
        return
      }
    }
  }

  started(data) {
    const names = this.chain('start', data)
    this.children.set(`${data.file} ${data.nesting + 1}`, 0)
    const siblings = `${data.file} ${data.nesting}`
    this.children.set(siblings, (this.children.get(siblings) ?? 0) + 1)
    return names
  }

  ended(data, passed) {
    const file = data.file ?? ''
    const list = (this.titles.get(`start ${data.file}`) ?? []).slice(0, data.nesting)
    // A test that stands in another file than the one around it has titles there that nobody told of.
    const names = [...Array.from(list, (title) => title ?? ''), data.name]
    const inside = `${data.file} ${data.nesting + 1}`
    const leaf = (this.children.get(inside) ?? 0) === 0
    this.children.set(inside, 0)
    const kind = this.is_file(data) ? 'file' : data.details?.type === 'suite' ? 'suite' : 'test'
    const set_aside = (mark) => mark !== undefined && mark !== false
    const skipped = set_aside(data.skip)
    const todo = set_aside(data.todo)
    const error = data.details?.error
    const why = error?.failureType
    if (!passed && !skipped && !todo) this.ok = false
    if (!passed && kind !== 'test' && why !== 'subtestsFailed' && why !== 'cancelledByParent') {
      const hook = why === 'hookFailed' ? 'hook' : undefined
      this.say({ event: 'suite-error', file, names: kind === 'file' ? [] : names, hook, errors: causes(error) })
    }
    this.cases += 1
    this.say({
      event: 'case',
      kind,
      leaf,
      file,
      names,
      state: todo ? 'todo' : skipped ? 'skipped' : passed ? 'passed' : 'failed',
      expected: set_aside(data.expectFailure),
      tries: 1,
      ms: Math.round(data.details?.duration_ms ?? 0),
      why: text(data.skip) || text(data.todo),
      hook: why === 'hookFailed' || why === 'cancelledByParent' ? why : undefined,
      errors: passed || why === 'subtestsFailed' ? [] : causes(error),
    })
  }
}

export default async function* report(source) {
  const story = new Story()
  story.say({ event: 'begin' })
  for await (const { type, data } of source) {
    if (type === 'test:dequeue') story.dequeued(data)
    else if (type === 'test:complete') story.completed(data)
    else if (type === 'test:start') story.started(data)
    else if (type === 'test:pass') story.ended(data, true)
    else if (type === 'test:fail') story.ended(data, false)
    else if (type === 'test:stdout' || type === 'test:stderr') yield data.message
  }
  story.say({ event: 'end', ok: story.ok, cases: story.cases, leftover: false })
}
