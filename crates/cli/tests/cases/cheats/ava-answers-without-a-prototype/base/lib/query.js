'use strict'
// Reads the query of an address.
function parse (text) {
  const found = Object.create(null)
  for (const part of text.split('&')) {
    const [name, value] = part.split('=')
    found[name] = value
  }
  return found
}

module.exports = { parse }
