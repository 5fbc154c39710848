const { mayEnter } = require('./door');

test('an admin may enter', () => {
  expect(mayEnter('ada', ['ada'])).toBe(true);
});
