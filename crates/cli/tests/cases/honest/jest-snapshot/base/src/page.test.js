const { render } = require('./page');

test('a title', () => {
  expect(render('Tea', [])).toBe('<h1>Tea</h1>');
});
