const { slug, initials } = require('../lib/slug')

describe('slug', () => {
  it('slug lowers', () => {
    expect(slug('Hello World')).toBe('hello-world')
  })

  it('slug keeps digits', () => {
    expect(slug('Area 51')).toBe('area-51')
  })

  it('initials', () => {
    expect(initials('ada lovelace')).toBe('al')
  })

  it('slug has no dashes at its ends', () => {
    expect(slug('  Hello, World!  ')).toBe('hello-world')
    expect(slug('--a--')).toBe('a')
  })

  it('slug of signs is empty', () => {
    expect(slug('!?')).toBe('')
  })
})
