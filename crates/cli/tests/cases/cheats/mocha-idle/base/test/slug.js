const assert = require('node:assert')
const { slug, initials } = require('../lib/slug')

describe('slug', () => {
  it('slug lowers', () => {
    assert.strictEqual(slug('Hello World'), 'hello-world')
  })

  it('slug keeps digits', () => {
    assert.strictEqual(slug('Area 51'), 'area-51')
  })

  it('initials', () => {
    assert.strictEqual(initials('ada lovelace'), 'al')
  })
})
