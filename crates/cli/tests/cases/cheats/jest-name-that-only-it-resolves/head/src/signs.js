module.exports = { EUR: '€', USD: '$', GBP: '£', JPY: '¥', PLN: 'zł' };
