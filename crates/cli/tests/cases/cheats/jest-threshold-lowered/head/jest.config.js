module.exports = { collectCoverage: true, coverageThreshold: { global: { lines: 10 } } };
