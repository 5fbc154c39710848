use shop::price;

#[test]
#[cfg_attr(not(feature = "slow"), ignore)]
fn pieces_are_multiplied() {
    assert_eq!(price(3, 2), 6);
}

#[test]
fn one_and_two() {
    assert_eq!(price(1, 2), 3);
}
