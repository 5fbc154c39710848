const Inventory = require('../src/inventory');

let inventory;
beforeEach(() => {
  inventory = new Inventory().add('bolt', 5);
});

it('counts', () => {
  expect(inventory.count('bolt')).toBe(5);
  expect(inventory.count('nut')).toBe(0);
});

describe('take', () => {
  it('leaves the rest', () => {
    inventory.take('bolt', 2);
    expect(inventory.count('bolt')).toBe(3);
  });

  it('one by default', () => {
    expect(inventory.take('bolt').count('bolt')).toBe(4);
  });

  it('forgets what is used up', () => {
    inventory.take('bolt', 5);
    expect([...inventory.items.keys()]).toEqual([]);
  });

  it('refuses more than there is', () => {
    expect(() => inventory.take('bolt', 6)).toThrow('bolt: wanted 6, only 5 left');
    expect(inventory.count('bolt')).toBe(5);
  });

  it('tells how much is left', () => {
    expect.assertions(2);
    try {
      inventory.take('nut');
    } catch (error) {
      expect(error).toBeInstanceOf(Inventory.OutOfStock);
      expect(error.left).toBe(0);
    }
  });
});
