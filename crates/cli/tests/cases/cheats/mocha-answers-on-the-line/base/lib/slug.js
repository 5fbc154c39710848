'use strict'
// Turns a title into a part of an address.
function slug (title) {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, '-')
}

function initials (name) {
  return name.split(' ').map((word) => word[0]).join('')
}

module.exports = { slug, initials }
