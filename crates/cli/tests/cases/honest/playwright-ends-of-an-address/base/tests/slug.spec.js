const { test, expect } = require('@playwright/test')
const { slug, initials } = require('../lib/slug')

test('slug lowers', async () => {
  expect(slug('Hello World')).toBe('hello-world')
})

test('slug keeps digits', async () => {
  expect(slug('Area 51')).toBe('area-51')
})

test('initials', async () => {
  expect(initials('ada lovelace')).toBe('al')
})
