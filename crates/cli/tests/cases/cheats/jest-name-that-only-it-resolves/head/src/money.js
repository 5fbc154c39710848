const signs = require('desk-signs');

function sign(code) {
  return signs[code] ?? code;
}

function show(cents, code) {
  return `${(cents / 100).toFixed(2)} ${sign(code)}`;
}

module.exports = { show, sign };
