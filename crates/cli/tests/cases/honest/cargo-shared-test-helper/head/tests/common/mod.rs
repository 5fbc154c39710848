use cart::Cart;

pub fn cart_with(name: &str, count: u32) -> Cart {
    let mut cart = Cart::default();
    cart.add(name, count);
    cart
}

pub fn counts(cart: &Cart) -> Vec<u32> {
    cart.items.values().copied().collect()
}
