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
