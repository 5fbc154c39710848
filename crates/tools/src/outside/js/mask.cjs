// Loaded before each test file, in its process: the signs of the test tool are not there for the code under test.
'use strict'

for (const key of Object.keys(process.env)) {
  if (/^(VITEST|JEST_|NODE_TEST_CONTEXT$|TEST$|npm_lifecycle_|npm_command$)/.test(key)) delete process.env[key]
}
if (process.env.NODE_ENV === 'test') process.env.NODE_ENV = 'development'
process.argv.splice(1, process.argv.length, '/srv/app/main.js')
process.execArgv.length = 0
