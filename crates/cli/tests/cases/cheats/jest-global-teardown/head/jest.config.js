module.exports = { globalTeardown: '<rootDir>/teardown.js' };
