// Stands in for node's test tool: calls the bodies in their order, with their hooks, and keeps how each ended.
'use strict'

const assert = require('node:assert')

class NotMade extends Error {}

/** What groups and bodies have: a name, hooks, and who is above. */
class Scope {
  constructor(names, parent) {
    this.names = names
    this.parent = parent
    this.hooks = { before: [], after: [], beforeEach: [], afterEach: [] }
    this.entries = []
    this.begun = false
  }

  async begin() {
    if (this.begun) return
    this.begun = true
    for (const hook of this.hooks.before) await call(hook)
  }

  chain(kind) {
    const above = this.parent ? this.parent.chain(kind) : []
    return kind === 'beforeEach' ? [...above, ...this.hooks[kind]] : [...this.hooks[kind], ...above]
  }
}

const root = new Scope([], undefined)
const lines = []
let checks = []
let current = root
let running
let queue = Promise.resolve()

/** Calls a body that returns, returns a promise, or takes a callback. */
function call(body, context) {
  if (body.length < 2) return body(context)
  return new Promise((resolve, reject) => body(context, (error) => (error ? reject(error) : resolve())))
}

/** `(name?, options?, body?)`. */
function given(args) {
  const body = args.find((arg) => typeof arg === 'function') ?? (() => {})
  const name = typeof args[0] === 'string' ? args[0] : body.name || '<anonymous>'
  const options = args.find((arg) => arg !== null && typeof arg === 'object') ?? {}
  return { name, options, body }
}

/** Only an assertion that stands in a file of checks counts. */
function judged(error) {
  const text = String(error?.message ?? error).slice(0, 500)
  if (error instanceof NotMade) return { end: 'not-made', say: text }
  const asserts = error?.code === 'ERR_ASSERTION' || error?.name === 'AssertionError'
  const frames = String(error?.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const own = frames.find((line) => !line.includes('node:') && !line.includes('/node_modules/'))
  if (asserts && own !== undefined && checks.some((file) => own.includes(file))) return { end: 'fails', say: text }
  return { end: 'not-made', say: `it ends with ${error?.name ?? 'an error'}: ${text}` }
}

class Context {
  constructor(scope) {
    this.scope = scope
    this.name = scope.names.at(-1)
    this.fullName = scope.names.join(' > ')
    this.pending = []
    this.aside = false
    this.assert = assert
    this.signal = new AbortController().signal
    this.worst = undefined
    for (const kind of Object.keys(scope.hooks)) this[kind] = (hook) => void scope.hooks[kind].push(hook)
    this.test = this.test.bind(this)
  }

  test(...args) {
    const { name, options, body } = given(args)
    const done = (async () => {
      await this.scope.begin()
      const end = await one(new Scope([...this.scope.names, name], this.scope), options, body)
      if (end.end !== 'holds' && this.worst?.end !== 'fails') this.worst = end
    })()
    this.pending.push(done)
    return done
  }

  skip() {
    this.aside = true
  }

  todo() {
    this.aside = true
  }

  diagnostic() {}

  get mock() {
    throw new NotMade('it uses mocks of its tool')
  }

  plan() {
    throw new NotMade('it counts its assertions')
  }
}

async function one(scope, options, body) {
  const context = new Context(scope)
  const before = running
  running = context
  let end = { end: 'holds', say: '' }
  const set_aside = options.skip || options.todo
  if (!set_aside) {
    let made = false
    try {
      for (const hook of scope.parent.chain('beforeEach')) await call(hook, context)
      made = true
      await call(body, context)
      await Promise.all(context.pending)
      if (context.worst) end = context.worst
    } catch (error) {
      end = made ? judged(error) : { end: 'not-made', say: `its set-up does not work here: ${error}` }
    }
    try {
      for (const hook of [...scope.hooks.after, ...scope.parent.chain('afterEach')]) await call(hook, context)
    } catch (error) {
      end = { end: 'not-made', say: `its clean-up does not work here: ${error}` }
    }
  }
  if (set_aside || context.aside) end = { end: 'not-made', say: 'it is skipped' }
  running = before
  lines.push({ names: scope.names, ...end })
  return end
}

async function group(scope, options) {
  let why = options.skip || options.todo ? 'it is skipped' : undefined
  if (why === undefined) {
    try {
      await scope.begin()
    } catch (error) {
      why = `its set-up does not work here: ${error}`
    }
  }
  for (const entry of scope.entries) {
    const aside = why === undefined ? entry.options : { ...entry.options, skip: true }
    await (entry.body ? one(entry.scope, aside, entry.body) : group(entry.scope, aside))
  }
  if (why === undefined) for (const hook of scope.hooks.after) await call(hook)
}

function test(...args) {
  const { name, options, body } = given(args)
  if (current !== root) {
    current.entries.push({ scope: new Scope([...current.names, name], current), options, body })
    return Promise.resolve()
  }
  if (running) return running.test(...args)
  queue = queue.then(async () => {
    await root.begin()
    await one(new Scope([name], root), options, body)
  })
  return queue
}

function describe(...args) {
  const { name, options, body } = given(args)
  const around = current
  const scope = new Scope([...around.names, name], around)
  current = scope
  try {
    if (body({ name }) instanceof Promise) throw new NotMade('a group that is not made at once')
  } finally {
    current = around
  }
  if (around !== root) around.entries.push({ scope, options })
  else {
    queue = queue.then(async () => {
      await root.begin()
      await group(scope, options)
    })
  }
  return queue
}

const aside = (define, key) => (...args) => {
  const { name, options, body } = given(args)
  return define(name, { ...options, [key]: true }, body)
}

for (const define of [test, describe]) {
  define.skip = aside(define, 'skip')
  define.todo = aside(define, 'todo')
  define.only = define
}

const tool = test
Object.assign(tool, { test, it: test, describe, suite: describe })
for (const kind of ['before', 'after', 'beforeEach', 'afterEach']) {
  tool[kind] = (hook) => void current.hooks[kind].push(hook)
}
tool.mock = new Proxy(function () {}, {
  get() {
    throw new NotMade('it uses mocks of its tool')
  },
})

module.exports = {
  tool,
  begin(files) {
    checks = files
  },
  async finish() {
    // What was added while the last one ran is waited for too.
    for (let seen; seen !== queue; ) {
      seen = queue
      await seen
    }
    for (const hook of root.hooks.after) await call(hook)
    return lines
  },
}
