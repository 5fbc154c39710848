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

test.run()
