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
