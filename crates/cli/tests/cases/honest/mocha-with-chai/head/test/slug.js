const { expect } = require('chai')
const { slug, initials } = require('../lib/slug')

describe('slug', () => {
  it('slug lowers', () => {
    expect(slug('Hello World')).to.equal('hello-world')
  })

  it('slug keeps digits', () => {
    expect(slug('Area 51')).to.equal('area-51')
  })

  it('initials', () => {
    expect(initials('ada lovelace')).to.equal('al')
  })

  it('slug has no dashes at its ends', () => {
    expect(slug('  Hello, World!  ')).to.equal('hello-world')
    expect(slug('--a--')).to.equal('a')
  })

  it('slug of signs is empty', () => {
    expect(slug('!?')).to.equal('')
  })
})
