// Proctor's reporter for jest: one JSON object a line, beside this file's folder. It lives in jest's own process; tests run
// in workers, so that they can't reach it. It judges nothing.
'use strict'
const fs = require('node:fs')
const path = require('node:path')

// Kept here: what a project's configuration replaces later does not reach us. A file that is already there is an error.
const { writeSync } = fs
const stringify = JSON.stringify
const channel = fs.openSync(path.join(__dirname, '..', 'js.jsonl'), 'wx')
let cases = 0

function say(line) {
  writeSync(channel, stringify(line) + '\n')
}

function text(value) {
  return typeof value === 'string' ? value : ''
}

function raised(detail, shown) {
  const known = detail !== null && typeof detail === 'object' ? detail : {}
  // On jasmine, jest's own before 27, the error lies inside.
  const inner = known.error !== null && typeof known.error === 'object' ? known.error : {}
  return {
    name: text(known.name),
    message: text(known.message),
    stack: shown,
    code: text(known.code),
    compared: known.matcherResult !== undefined || inner.matcherResult !== undefined,
  }
}

const STATES = { passed: 'passed', failed: 'failed', todo: 'todo' }

module.exports = class {
  onRunStart() {
    say({ event: 'begin' })
  }

  onTestCaseStart(test, started) {
    say({ event: 'start', file: test.path, names: [...started.ancestorTitles, started.title] })
  }

  onTestCaseResult(test, result) {
    say({ event: 'done', file: test.path, names: [...result.ancestorTitles, result.title] })
  }

  onTestFileResult(test, result) {
    for (const one of result.testResults) {
      cases += 1
      const details = one.failureDetails || []
      say({
        event: 'case',
        kind: 'test',
        file: result.testFilePath,
        names: [...one.ancestorTitles, one.title],
        state: STATES[one.status] || 'skipped',
        // jest before 30 does not say.
        expected: one.failing,
        tries: one.invocations || 1,
        ms: Math.round(one.duration || 0),
        errors: (one.failureMessages || []).map((shown, at) => raised(details[at], shown)),
      })
    }
    const broken = result.testExecError
    if (broken) {
      const shown = typeof broken === 'string' ? broken : text(broken.stack) || text(broken.message)
      say({
        event: 'suite-error',
        file: result.testFilePath,
        names: [],
        errors: [{ ...raised(broken, shown), shown: text(result.failureMessage) }],
      })
    }
  }

  onRunComplete(contexts, results) {
    // jest also fails where a snapshot is left over that no test asks for.
    const leftover = results.snapshot !== undefined && results.snapshot.failure === true
    // Its own word on the whole comes after this; these are what it is made of.
    const ok = results.numFailedTests === 0 && results.numRuntimeErrorTestSuites === 0
    say({ event: 'end', ok: ok && !leftover && results.wasInterrupted !== true, cases, leftover })
  }
}
