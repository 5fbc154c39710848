const { reason } = require('./status');

test('all is well', () => {
  expect(reason(200)).toBe('OK');
});

test('what nobody knows stays a number', () => {
  expect(reason(799)).toBe('799');
});
