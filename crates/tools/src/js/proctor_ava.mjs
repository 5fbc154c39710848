// Proctor's way into ava: it starts ava's own program, and tells what ava's reporter hears. Tests run in threads or
// processes of their own, so that they can't reach it. It judges nothing.
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const { ask, say, raised, end } = createRequire(import.meta.url)('./proctor_told.cjs')
const { default: Reporter } = await import(pathToFileURL(path.join(ask.package, 'lib/reporters/tap.js')))

let begun = false
let broken = 0
let stats = null

/** What ava has for an error that a test threw: it says so, and has the error inside. */
const THROWN = /^(Error thrown in test|Rejected promise returned by test)/

function inside(told) {
  const { cause } = told.originalError ?? {}
  if (cause !== null && typeof cause === 'object') return cause
  // Before ava 6 there is only what is shown of it.
  const shown = told.values?.[0]?.formatted ?? ''
  const name = /^(\w*Error)\b/.exec(shown)
  const message = /message: '((?:[^'\\]|\\.)*)'/.exec(shown)
  const of = name && name[1] !== '' ? name[1] : ''
  const text = message ? message[1] : shown
  return { name: of, message: text, stack: `${of}: ${text}\n${told.stack ?? ''}` }
}

function error(told) {
  if (told === undefined || told === null) return []
  if (THROWN.test(told.message ?? '')) return [raised(inside(told))]
  const { originalError } = told
  const plain = typeof originalError === 'object' && originalError !== null ? originalError : { message: told.formattedError ?? String(originalError) }
  const said = raised({ name: told.name ?? plain.name, message: told.message ?? plain.message, stack: told.stack ?? plain.stack, code: plain.code, cause: plain.cause })
  const details = [...(told.formattedDetails ?? []), ...(told.values ?? [])]
  const shown = details.map((one) => `${one.label} ${one.formatted}`).join('\n')
  const assertion = told.type === 'ava' || told.avaAssertionError === true
  const misused = told.improperUsage !== null && told.improperUsage !== undefined && told.improperUsage !== false
  return [{ ...said, message: shown === '' ? said.message : `${said.message}\n${shown}`, compared: assertion && !misused }]
}

function at(event, title = event.title) {
  return { file: event.testFile, names: title === undefined ? [] : [title] }
}

function test(event, state, expected) {
  say({ event: 'done', ...at(event) })
  say({ event: 'case', kind: 'test', ...at(event), state, expected, tries: 1, ms: Math.round(event.duration ?? 0), errors: error(event.err) })
}

function gone(event) {
  for (const [file, titles] of event.pendingTests ?? []) {
    for (const title of titles) test({ testFile: file, title }, 'unfinished', false)
  }
}

const HEARD = {
  stats(event) {
    stats = event.stats
  },
  'selected-test'(event) {
    if (event.skip || event.todo) test(event, event.todo ? 'todo' : 'skipped', false)
    else say({ event: 'start', ...at(event) })
  },
  'test-passed'(event) {
    test(event, 'passed', Boolean(event.knownFailing))
  },
  'test-failed'(event) {
    test(event, 'failed', Boolean(event.knownFailing))
  },
  'hook-failed'(event) {
    broken += 1
    const hook = /^(before|after)(Each)?/.exec(event.title)
    const name = hook === null ? 'a hook' : hook[0] + (hook[2] ? '' : 'All')
    say({ event: 'suite-error', ...at(event, undefined), hook: name, errors: error(event.err) })
  },
  'uncaught-exception'(event) {
    broken += 1
    say({ event: 'suite-error', ...at(event, undefined), errors: error(event.err) })
  },
  'unhandled-rejection'(event) {
    broken += 1
    say({ event: 'suite-error', ...at(event, undefined), errors: error(event.err) })
  },
  'internal-error'(event) {
    broken += 1
    say({ event: 'stray', file: event.testFile ?? '', errors: error(event.err) })
  },
  'missing-ava-import'(event) {
    broken += 1
    say({ event: 'suite-error', ...at(event, undefined), errors: [{ message: 'it does not import ava' }] })
  },
  'worker-failed'(event) {
    broken += 1
    if (event.err) say({ event: 'suite-error', ...at(event, undefined), errors: error(event.err) })
  },
  'process-exit': gone,
  timeout: gone,
}

const { startRun, endRun } = Reporter.prototype
Reporter.prototype.startRun = function (plan) {
  if (!begun) say({ event: 'begin' })
  begun = true
  plan.status.on('stateChange', (event) => {
    // Newer versions wrap what is heard.
    const heard = event.type === undefined && event.data ? event.data : event
    HEARD[heard.type]?.(heard)
  })
  return startRun.call(this, plan)
}
Reporter.prototype.endRun = function (...given) {
  const bad = stats !== null && stats.failedTests + stats.failedHooks + stats.uncaughtExceptions + stats.unhandledRejections + stats.failedWorkers + stats.internalErrors + stats.timeouts + (stats.unexpectedProcessExits ?? 0) + stats.remainingTests > 0
  const passed = (stats?.passedTests ?? 0) + (stats?.passedKnownFailingTests ?? 0)
  end(!bad && broken === 0, { passed, failed: stats?.failedTests ?? 0 })
  return endRun.apply(this, given)
}

process.argv.splice(1, 1)
await import(pathToFileURL(process.argv[1]))
