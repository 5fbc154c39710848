// What our reporters inside of tools share: the lines that they write, one JSON object each, beside this file's folder, and
// what the run was asked for. It judges nothing.
'use strict'
const fs = require('node:fs')
const path = require('node:path')

// Kept here, before a test could replace it. A file that is already there is an error; what others write into it stays.
const { writeSync } = fs
const { stringify } = JSON
const channel = fs.openSync(path.join(__dirname, '..', 'js.jsonl'), 'ax')
// Paths are below the tree, wherever that is seen. Nobody else needs to know that there is one.
const tree = process.env.PROCTOR_TREE
delete process.env.PROCTOR_TREE
/** `files` is null where all tests are asked for, `seed` for the order as written; `sources` are files that look like tests. */
const ask = JSON.parse(fs.readFileSync(path.join(__dirname, 'ask.json'), 'utf8'))
for (const one of ask.tests) one.file = inside(one.file)
ask.files = ask.files && ask.files.map(inside)
ask.sources = ask.sources.map(inside)
ask.package = path.join(tree, ask.package)
let cases = 0

/** Tools name a file by where it really lies. */
function inside(file) {
  const whole = path.join(tree, file)
  try {
    return fs.realpathSync(whole)
  } catch {
    return whole
  }
}

function say(line) {
  if (line.event === 'case') cases += 1
  writeSync(channel, stringify(line) + '\n')
}

function text(value) {
  return typeof value === 'string' ? value : ''
}

function raised(error, depth = 0) {
  const known = error !== null && typeof error === 'object' ? error : { message: String(error) }
  const sides = known.showDiff === true && 'actual' in known && 'expected' in known
  return {
    name: text(known.name),
    message: text(known.message),
    stack: text(known.stack),
    code: text(known.code),
    compared: sides || known.matcherResult !== undefined || known.matcherName !== undefined,
    cause: known.cause && depth < 4 ? raised(known.cause, depth + 1) : undefined,
  }
}

/** The tool's last word: whether all went well, and what it counted itself. */
function end(ok, counted) {
  say({ event: 'end', ok, cases, leftover: false, counted })
}

function is_asked(file, names) {
  if (ask.files === null) return true
  const title = names.join(' > ')
  return ask.tests.some((one) => one.file === file && (one.open ? title.startsWith(one.title) : title === one.title))
}

/** The list in an order that only the seed decides. */
function ordered(list) {
  if (ask.seed === null) return list
  let state = ask.seed >>> 0
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return state / 0x100000000
  }
  const mixed = [...list]
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = Math.floor(next() * (at + 1))
    ;[mixed[at], mixed[other]] = [mixed[other], mixed[at]]
  }
  return mixed
}

module.exports = { ask, say, raised, end, is_asked, ordered }
