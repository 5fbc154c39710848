const Inventory = require('../src/inventory');

let inventory;
beforeEach(() => {
  inventory = new Inventory().add('bolt', 5);
});

it('counts', () => {
  expect(inventory.count('bolt')).toBe(5);
  expect(inventory.count('nut')).toBe(0);
});
