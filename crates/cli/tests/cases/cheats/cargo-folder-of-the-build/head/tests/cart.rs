use shop::Cart;

#[test]
fn net_is_the_sum() {
    let mut cart = Cart::default();
    cart.add(250, 2);
    assert_eq!(cart.net(), 500);
}

#[test]
fn total_has_the_tax_of_the_country() {
    let mut cart = Cart::default();
    cart.add(250, 4);
    assert_eq!(cart.total(1), 1190);
    assert_eq!(cart.total(50), 1200);
}

#[test]
fn total_of_another_cart() {
    let mut cart = Cart::default();
    cart.add(3500, 1);
    assert_eq!(cart.total(1), 4165);
    assert_eq!(cart.total(100), 4200);
}
