const t = require('tap')
const { slug, initials } = require('../lib/slug')

t.test('slug lowers', (t) => {
  t.equal(slug('Hello World'), 'hello-world')
  t.end()
})

t.test('slug keeps digits', (t) => {
  t.equal(slug('Area 51'), 'area-51')
  t.end()
})

t.test('initials', (t) => {
  t.equal(initials('ada lovelace'), 'al')
  t.end()
})

t.test('slug has no dashes at its ends', (t) => {
  t.equal(slug('  Hello, World!  '), 'hello-world')
  t.equal(slug('--a--'), 'a')
  t.end()
})

t.test('slug of signs is empty', (t) => {
  t.equal(slug('!?'), '')
  t.end()
})
