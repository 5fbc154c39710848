// Proctor's reporter for mocha, loaded before the tests: it loads their files one by one, so that one that can't be loaded
// hides no other, and tells how each test ended. It judges nothing.
'use strict'
const { ask, say, raised, end, is_asked, ordered } = require('./proctor_told.cjs')
const loaded = require(ask.package)
const Mocha = loaded.default ?? loaded

let broken = 0

const load = Mocha.prototype.loadFilesAsync
Mocha.prototype.loadFilesAsync = async function (...given) {
  const all = ordered(this.files.filter((file) => file !== __filename && (ask.files === null || ask.files.includes(file))))
  for (const file of all) {
    this.files = [file]
    try {
      await load.apply(this, given)
    } catch (error) {
      broken += 1
      say({ event: 'suite-error', file, names: [], errors: [raised(error)] })
    }
  }
  this.files = all
}

/** The file of a suite or of what stands in it. */
function file(one) {
  for (let at = one; at; at = at.parent) if (at.file) return at.file
  return ''
}

function names(one) {
  return one.titlePath()
}

function asked(test) {
  return is_asked(file(test), names(test))
}

/** As mocha names a hook: `"before each" hook: its name for "a test"`. */
function hook(one) {
  const word = /^"(before|after)( each| all)" hook/.exec(one.title)
  return word ? word[1] + (word[2] === ' each' ? 'Each' : 'All') : one.title
}

/** What a test was before it was tried again. */
function origin(test) {
  let at = test
  while (at.retriedTest?.()) at = at.retriedTest()
  return at
}

module.exports = class {
  results = new Map()
  errors = new Map()
  tries = new Map()
  tests = []
  open = null

  constructor(runner) {
    say({ event: 'begin' })
    this.plan(runner.suite)
    runner.on('start', () => {
      // The project's own words must not leave tests out, end the run early or fail it for what no test says.
      runner.grep(/.*/, false)
      runner.forbidOnly = false
      runner.forbidPending = false
      runner.allowUncaught = false
      this.choose(runner.suite)
    })
    runner.on('test', (test) => this.started(test))
    runner.on('test end', () => this.ended())
    runner.on('retry', (test, error) => {
      this.keep(test, error)
      this.ended()
    })
    runner.on('pass', (test) => {
      this.results.set(origin(test), 'passed')
      this.tries.set(origin(test), 1 + (test.currentRetry?.() ?? 0))
    })
    runner.on('pending', (test) => this.results.set(origin(test), 'skipped'))
    runner.on('fail', (test, error) => this.failed(test, error))
    runner.once('end', () => this.over(runner))
  }

  plan(suite) {
    suite.bail(false)
    suite.suites = ordered(suite.suites)
    suite.tests = ordered(suite.tests)
    this.tests.push(...suite.tests.filter(asked))
    for (const inner of suite.suites) this.plan(inner)
  }

  /** Only what is asked for is run, of what `only` has left. */
  choose(suite) {
    suite.tests = suite.tests.filter(asked)
    for (const inner of suite.suites) this.choose(inner)
  }

  started(test) {
    this.open = { file: file(test), names: names(test) }
    say({ event: 'start', ...this.open })
  }

  ended() {
    if (this.open !== null) say({ event: 'done', ...this.open })
    this.open = null
  }

  keep(test, error) {
    this.errors.set(origin(test), [...(this.errors.get(origin(test)) ?? []), raised(error)])
  }

  failed(one, error) {
    if (one.type === 'hook') {
      this.ended()
      broken += 1
      say({ event: 'suite-error', file: file(one), names: names(one.parent), hook: hook(one), errors: [raised(error)] })
    } else if (one.type === 'test') {
      this.results.set(origin(one), 'failed')
      this.keep(one, error)
    } else {
      say({ event: 'stray', file: file(one), errors: [raised(error)] })
    }
  }

  over(runner) {
    for (const test of this.tests) {
      say({
        event: 'case',
        kind: 'test',
        file: file(test),
        names: names(test),
        state: this.results.get(test) ?? 'skipped',
        expected: false,
        tries: this.tries.get(test) ?? 1,
        ms: Math.round(test.duration ?? 0),
        errors: this.errors.get(test) ?? [],
      })
    }
    const { passes, failures } = runner.stats ?? {}
    end(failures === 0 && broken === 0, { passed: passes, failed: failures })
  }
}
