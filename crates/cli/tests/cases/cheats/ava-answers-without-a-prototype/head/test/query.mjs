import test from 'ava'
import query from '../lib/query.js'
const { parse } = query

test('reads a pair', (t) => {
  t.deepEqual(parse('town=Turku'), { town: 'Turku' })
})

test('reads what is escaped', (t) => {
  t.deepEqual(parse('town=New%20York'), { town: 'New York' })
  t.deepEqual(parse('town=%C3%85bo'), { town: 'Åbo' })
})
