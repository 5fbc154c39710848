'use strict';

const { Cart } = require('./cart');

module.exports = { Cart };
