const { reason } = require('./status');

test('all is well', () => {
  expect(reason(200)).toBe('OK');
});

test('what nobody knows stays a number', () => {
  expect(reason(799)).toBe('799');
});

test('what went wrong', () => {
  const codes = [399, 400, 401, 402, 403, 404, 405, 406];
  expect(codes.map(reason)).toEqual([
    '399',
    'Bad Request',
    'Unauthorized',
    'Payment Required',
    'Forbidden',
    'Not Found',
    'Method Not Allowed',
    '406',
  ]);
});
