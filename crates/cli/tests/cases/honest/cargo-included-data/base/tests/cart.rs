use shop::Cart;

#[test]
fn net_is_the_sum() {
    let mut cart = Cart::default();
    cart.add(250, 2);
    assert_eq!(cart.net(), 500);
}
