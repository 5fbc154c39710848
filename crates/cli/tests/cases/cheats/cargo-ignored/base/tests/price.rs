use shop::price;

#[test]
fn pieces_are_multiplied() {
    assert_eq!(price(3, 2), 6);
}
