import test from 'ava'
import slugs from '../lib/slug.js'
const { slug, initials } = slugs

test('slug lowers', (t) => {
  t.is(slug('Hello World'), 'hello-world')
})

test('slug keeps digits', (t) => {
  t.is(slug('Area 51'), 'area-51')
})

test('initials', (t) => {
  t.is(initials('ada lovelace'), 'al')
})

test('slug has no dashes at its ends', (t) => {
  t.is(slug('  Hello, World!  '), 'hello-world')
  t.is(slug('--a--'), 'a')
})

test('slug of signs is empty', (t) => {
  t.is(slug('!?'), '')
})
