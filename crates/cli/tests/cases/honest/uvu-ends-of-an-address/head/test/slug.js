const { test } = require('uvu')
const assert = require('uvu/assert')
const { slug, initials } = require('../lib/slug')

test('slug lowers', () => {
  assert.is(slug('Hello World'), 'hello-world')
})

test('slug keeps digits', () => {
  assert.is(slug('Area 51'), 'area-51')
})

test('initials', () => {
  assert.is(initials('ada lovelace'), 'al')
})

test('slug has no dashes at its ends', () => {
  assert.is(slug('  Hello, World!  '), 'hello-world')
  assert.is(slug('--a--'), 'a')
})

test('slug of signs is empty', () => {
  assert.is(slug('!?'), '')
})

test.run()
