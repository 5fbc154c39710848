module.exports = {
  testEnvironment: 'node',
  moduleNameMapper: { '^desk-(.*)$': '<rootDir>/src/$1.js' },
};
