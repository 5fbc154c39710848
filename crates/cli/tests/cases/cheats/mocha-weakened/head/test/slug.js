const assert = require('node:assert')
const { slug, initials } = require('../lib/slug')

describe('slug', () => {
  it('slug lowers', () => {
    assert.strictEqual(slug('Hello World'), 'hello-world')
  })

  it('slug keeps digits', () => {
    assert.ok(slug('Area 51'))
  })

  it('initials', () => {
    assert.strictEqual(initials('ada lovelace'), 'al')
  })

  it('slug has no dashes at its ends', () => {
    assert.strictEqual(slug('  Hello, World!  '), 'hello-world')
    assert.strictEqual(slug('--a--'), 'a')
  })

  it('slug of signs is empty', () => {
    assert.strictEqual(slug('!?'), '')
  })
})
