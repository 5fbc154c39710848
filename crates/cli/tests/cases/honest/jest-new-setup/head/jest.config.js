module.exports = { testEnvironment: 'node', setupFiles: ['<rootDir>/test/language.js'] };
