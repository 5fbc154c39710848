// Proctor's way into jasmine: it starts jasmine's own program, loads the spec files one by one, so that one that can't be
// loaded hides no other, and tells how each spec ended. It judges nothing.
'use strict'
const { ask, say, raised, end, is_asked, ordered } = require('./proctor_told.cjs')
const Jasmine = require(ask.package)

const files = new Map()
const names = []
let broken = 0
let passed = 0
let failed = 0

/** Specs that were defined since, below a suite. */
function claim(suite, file) {
  for (const one of suite.children ?? []) {
    if (!files.has(one.id)) files.set(one.id, file)
    claim(one, file)
  }
}

function told(failure) {
  const word = /^(?:Uncaught )?(\w*Error): /.exec(failure.message ?? '')
  const known = { name: word ? word[1] : '', message: failure.message, stack: failure.stack }
  const said = raised(known)
  return { ...said, stack: `${said.message}\n${said.stack}`, compared: Boolean(failure.matcherName) }
}

function stray(result, hook) {
  for (const failure of result.failedExpectations ?? []) {
    broken += 1
    const file = files.get(result.id) ?? ''
    if (file === '') say({ event: 'stray', file, errors: [told(failure)] })
    else say({ event: 'suite-error', file, names: [...names], hook, errors: [told(failure)] })
  }
}

const STATES = { passed: 'passed', failed: 'failed' }

const reporter = {
  jasmineStarted() {
    say({ event: 'begin' })
  },
  suiteStarted(suite) {
    names.push(suite.description)
  },
  suiteDone(suite) {
    stray(suite, 'afterAll')
    names.pop()
  },
  specStarted(spec) {
    if (is_asked(files.get(spec.id), [...names, spec.description])) {
      say({ event: 'start', file: files.get(spec.id), names: [...names, spec.description] })
    }
  },
  specDone(spec) {
    const at = { file: files.get(spec.id), names: [...names, spec.description] }
    if (!is_asked(at.file, at.names)) return
    say({ event: 'done', ...at })
    if (spec.status === 'passed') passed += 1
    if (spec.status === 'failed') failed += 1
    say({
      event: 'case',
      kind: 'test',
      ...at,
      state: STATES[spec.status] ?? 'skipped',
      expected: false,
      tries: 1,
      ms: Math.round(spec.duration ?? 0),
      why: spec.pendingReason || undefined,
      errors: (spec.failedExpectations ?? []).map(told),
    })
  },
  jasmineDone(result) {
    stray(result, 'afterAll')
    // A run with specs that are focused, or with none, is `incomplete`: which ones were not run is told.
    end(result.overallStatus !== 'failed' && broken === 0, { passed, failed })
  },
}

Jasmine.prototype.loadSpecs = async function () {
  this.env.addReporter(reporter)
  // jasmine does not know of the files that could not be loaded.
  const { exit } = this
  this.exit = (code) => exit(broken > 0 && (code === 0 || code === 2) ? 3 : code)
  for (const file of ordered(this.specFiles)) {
    if (ask.files !== null && !ask.files.includes(file)) continue
    try {
      await this._loadFiles([file])
    } catch (error) {
      broken += 1
      say({ event: 'suite-error', file, names: [], errors: [raised(error)] })
    }
    claim(this.env.topSuite(), file)
  }
  const path = (spec) => (spec.getPath ? spec.getPath() : null)
  const wanted = (spec) => ask.files === null || path(spec) === null || is_asked(files.get(spec.id), path(spec))
  this.env.configure({
    random: ask.seed !== null,
    seed: ask.seed ?? undefined,
    specFilter: wanted,
    stopOnSpecFailure: false,
    stopSpecOnExpectationFailure: false,
  })
}

process.argv.splice(1, 1)
require(process.argv[1])
