// Loads test files of bun or deno one by one, and writes down why one can't be loaded, in the words that node has for it. It
// judges nothing.
import { appendFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = path.dirname(fileURLToPath(import.meta.url))

function text(value) {
  return typeof value === 'string' ? value.replace(/\u001b\[\d+m/g, '') : ''
}

function said(error, file) {
  const message = text(error.message)
  const module = /^Module not found "file:\/\/([^"]+)"/.exec(message)
  if (module) return `Cannot find module '${module[1]}' imported from ${file}`
  const name = /^Export named '([^']+)' not found in module '([^']+)'/.exec(message)
  if (name) {
    const asked = path.relative(path.dirname(file), name[2])
    return `The requested module '${asked.startsWith('.') ? asked : `./${asked}`}' does not provide an export named '${name[1]}'`
  }
  return message
}

for (const file of (process.env.PROCTOR_LOST ?? '').split(':').filter((one) => one !== '')) {
  try {
    await import(pathToFileURL(file).href)
  } catch (error) {
    const known = error !== null && typeof error === 'object' ? error : { message: String(error) }
    const name = known.name === 'ResolveMessage' ? 'Error' : text(known.name)
    const told = { name, message: said(known, file), stack: text(known.stack), code: text(known.code) }
    appendFileSync(path.join(here, '..', 'js-loads.jsonl'), JSON.stringify({ file, error: told }) + '\n')
  }
}
