import test from 'ava'
import query from '../lib/query.js'
const { parse } = query

test('reads a pair', (t) => {
  t.deepEqual(parse('town=Turku'), { town: 'Turku' })
})
