const { add } = require('./money');

test('nothing changes nothing', () => {
  expect(add({ cents: 5 }, { cents: 0 })).toEqual({ cents: 5 });
});

test('two amounts are added', () => {
  expect(add({ cents: 5 }, { cents: 2 })).toEqual({ cents: 7 });
});
