const test = require('tape')
const { slug, initials } = require('../lib/slug')

test('slug lowers', (t) => {
  t.equal(slug('Hello World'), 'hello-world')
  t.end()
})

test('slug keeps digits', (t) => {
  t.equal(slug('Area 51'), 'area-51')
  t.end()
})

test('initials', (t) => {
  t.equal(initials('ada lovelace'), 'al')
  t.end()
})

test('slug has no dashes at its ends', (t) => {
  t.equal(slug('  Hello, World!  '), 'hello-world')
  t.equal(slug('--a--'), 'a')
  t.end()
})

test('slug of signs is empty', (t) => {
  t.equal(slug('!?'), '')
  t.end()
})
