module.exports = { transform: { '\\.js$': '<rootDir>/plain.js' } };
