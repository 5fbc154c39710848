// Proctor's reporter for playwright test: it lives in the tool's own process, and tests run in workers. It judges nothing.
'use strict'
const { say, raised, end } = require('./proctor_told.cjs')

function told(error) {
  const known = error.message === undefined ? { message: `thrown: ${error.value}` } : error
  const word = /^(\w*Error): /.exec(known.message)
  const message = word ? known.message.slice(word[0].length) : known.message
  return raised({ name: word ? word[1] : '', message, stack: known.stack })
}

function names(test) {
  const path = test.titlePath()
  // The first is empty, then come the project and the file.
  return path.slice(3)
}

module.exports = class {
  passed = 0
  failed = 0
  broken = 0

  onBegin(config, suite) {
    this.suite = suite
    say({ event: 'begin' })
  }

  onTestBegin(test) {
    say({ event: 'start', file: test.location.file, names: names(test) })
  }

  onTestEnd(test) {
    say({ event: 'done', file: test.location.file, names: names(test) })
  }

  onError(error) {
    this.broken += 1
    const file = error.location ? error.location.file : ''
    if (file === '') say({ event: 'stray', file, errors: [told(error)] })
    else say({ event: 'suite-error', file, names: [], errors: [told(error)] })
  }

  onEnd(result) {
    for (const test of this.suite?.allTests() ?? []) {
      const last = test.results.at(-1)
      const skipped = last === undefined || last.status === 'skipped' || last.status === 'interrupted'
      const passed = !skipped && test.outcome() !== 'unexpected'
      if (passed) this.passed += 1
      else if (!skipped) this.failed += 1
      say({
        event: 'case',
        kind: 'test',
        file: test.location.file,
        names: names(test),
        state: skipped ? 'skipped' : passed ? 'passed' : 'failed',
        expected: test.expectedStatus === 'failed',
        tries: Math.max(1, test.results.length),
        ms: last === undefined ? 0 : Math.round(last.duration),
        errors: test.results.flatMap((one) => one.errors ?? []).map(told),
      })
    }
    end(result.status === 'passed' && this.broken === 0, { passed: this.passed, failed: this.failed })
  }

  printsToStdio() {
    return false
  }
}
