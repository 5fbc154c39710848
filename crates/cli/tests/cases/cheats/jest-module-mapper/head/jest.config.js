module.exports = { moduleNameMapper: { '/parity$': '<rootDir>/double.js' } };
