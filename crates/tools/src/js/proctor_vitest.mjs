// Proctor's reporter for vitest: one JSON object a line, beside this file's folder. It lives in vitest's own process; tests
// run in workers. It judges nothing.
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

// Kept here: what a project's configuration replaces later does not reach us. A file that is already there is an error.
const { writeSync } = fs
const stringify = JSON.stringify
const here = path.dirname(fileURLToPath(import.meta.url))
const channel = fs.openSync(path.join(here, '..', 'js.jsonl'), 'wx')

function say(line) {
  writeSync(channel, stringify(line) + '\n')
}

// How long nothing may be heard, where many small changes are tried at once: one of them may never end.
const stall = fs.existsSync(path.join(here, 'stall')) ? Number(fs.readFileSync(path.join(here, 'stall'), 'utf8')) : 0

function text(value) {
  return typeof value === 'string' ? value : ''
}

function raised(error, depth = 0) {
  const known = error !== null && typeof error === 'object' ? error : { message: String(error) }
  const bundler = known.__vitest_rollup_error__ || known
  const line = bundler.loc && Number.isInteger(bundler.loc.line) ? bundler.loc.line : undefined
  return {
    name: text(known.name),
    message: text(known.message),
    stack: text(known.stack),
    code: text(known.code),
    at: text(bundler.id) !== '' && line !== undefined ? [bundler.id, line] : undefined,
    // What a matcher of the project's own says has no name: it is raised where vitest asks.
    compared: text(known.name) === 'Error' && asked(text(known.stack)),
    cause: known.cause && depth < 4 ? raised(known.cause, depth + 1) : undefined,
  }
}

/** Whether the innermost frame of a stack is vitest's own `expect`. */
function asked(stack) {
  const frame = stack.split('\n').find((line) => /^\s+at /.test(line)) ?? ''
  return /[\\/]@vitest[\\/]expect[\\/]/.test(frame)
}

/** The titles from the outermost suite to the task itself. */
function names(task) {
  const list = [task.name]
  for (let at = task.suite; at && at !== task.file && at.filepath === undefined; at = at.suite) {
    // vitest before 2 puts everything of a file into a suite without a name.
    if (at.name !== '' || at.suite) list.unshift(at.name)
  }
  return list
}

function failedHook(result) {
  for (const [hook, state] of Object.entries(result?.hooks ?? {})) {
    if (state !== 'pass' && state !== undefined) return hook
  }
  return undefined
}

const STATES = { pass: 'passed', fail: 'failed', todo: 'todo' }

export default class {
  cases = 0
  ok = true
  over = false

  onInit(vitest) {
    this.root = vitest.config.root
    say({ event: 'begin' })
    this.heard = Date.now()
    if (stall) setInterval(() => Date.now() - this.heard > stall && process.exit(3), 250).unref()
  }

  // vitest before 4.
  onTaskUpdate() {
    this.heard = Date.now()
  }

  onCollected() {
    this.heard = Date.now()
  }

  onTestCaseReady(test) {
    this.heard = Date.now()
    say({ event: 'start', file: test.module.moduleId, names: names(test.task) })
  }

  onTestCaseResult(test) {
    this.heard = Date.now()
    say({ event: 'done', file: test.module.moduleId, names: names(test.task) })
  }

  onTestRunEnd(modules, errors) {
    this.finish(modules.map((module) => module.task), errors)
  }

  // vitest before 3.
  onFinished(files, errors) {
    this.finish(files ?? [], errors ?? [])
  }

  finish(files, errors) {
    if (this.over) return
    this.over = true
    for (const file of files) {
      this.suite(file, file.filepath, [])
      this.ok &&= file.result?.state !== 'fail'
    }
    for (const error of errors) {
      this.ok = false
      // vitest before 3 gives it relative to its root.
      const file = text(error?.VITEST_TEST_PATH)
      say({ event: 'stray', file: file && path.resolve(this.root, file), errors: [raised(error)] })
    }
    say({ event: 'end', ok: this.ok, cases: this.cases, leftover: false })
  }

  suite(suite, file, titles) {
    if (suite.result?.errors?.length) {
      this.ok = false
      const errors = suite.result.errors.map((error) => raised(error))
      say({ event: 'suite-error', file, names: titles, hook: failedHook(suite.result), errors })
    }
    for (const task of suite.tasks) {
      if (task.type === 'suite') this.suite(task, file, names(task))
      else this.test(task, file)
    }
  }

  test(task, file) {
    this.cases += 1
    const result = task.result
    // A test that should have run and has no result: its worker is gone.
    const lost = task.mode === 'run' && result?.state !== 'skip'
    const state = STATES[result?.state] ?? (task.mode === 'todo' ? 'todo' : lost ? 'unfinished' : 'skipped')
    this.ok &&= state !== 'failed'
    say({
      event: 'case',
      kind: 'test',
      file,
      names: names(task),
      state,
      expected: Boolean(task.fails),
      tries: (result?.retryCount ?? 0) + 1,
      ms: Math.round(result?.duration ?? 0),
      why: text(result?.note),
      hook: failedHook(result),
      errors: (result?.errors ?? []).map((error) => raised(error)),
    })
  }
}
