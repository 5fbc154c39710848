'use strict';

/** The letter of a seat in a row of six. */
function letter(n) {
  return 'ABCDEF'[n % 6];
}

/** The row of a seat. */
function row(n) {
  return Math.floor(n / 6);
}

module.exports = { letter, row };
