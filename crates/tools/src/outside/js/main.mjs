// Runs the bodies of one file of checks in a plain process, and tells on standard output how each ended.
import { readFileSync, writeSync } from 'node:fs'
import Module, { createRequire, register } from 'node:module'
import { pathToFileURL } from 'node:url'

const { file, checks, word } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
// A program that is called without arguments.
process.argv.splice(2)
process.execArgv.length = 0

const steps = createRequire(import.meta.url)('./steps.cjs')
const load = Module._load
Module._load = function (request, ...rest) {
  return request === 'node:test' ? steps.tool : load.call(this, request, ...rest)
}
register('./redirect.mjs', import.meta.url)

steps.begin(checks)
await import(pathToFileURL(file).href)
const lines = await steps.finish()
for (const line of [...lines, { names: [], end: 'all', say: '' }]) {
  writeSync(1, `\n${word} ${JSON.stringify(line)}\n`)
}
process.exit(0)
