// Loaded into the processes that run test files: it writes down why one of them ended. It judges nothing.
'use strict'
const { appendFileSync } = require('node:fs')
const path = require('node:path')
const { stringify } = JSON

function text(value) {
  return typeof value === 'string' ? value : ''
}

process.on('uncaughtExceptionMonitor', (error) => {
  const known = error !== null && typeof error === 'object' ? error : { message: String(error) }
  const said = { name: text(known.name), message: text(known.message), stack: text(known.stack), code: text(known.code) }
  appendFileSync(path.join(__dirname, '..', 'js-loads.jsonl'), stringify({ file: process.argv[1], error: said }) + '\n')
})
