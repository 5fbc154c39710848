mod common;

#[test]
fn one_thing() {
    assert_eq!(common::cart_with("pear", 2).items["pear"], 2);
}

#[test]
fn the_same_thing_twice_is_counted_together() {
    let mut cart = common::cart_with("pear", 2);
    cart.add("pear", 3);
    cart.add("plum", 1);
    assert_eq!(common::counts(&cart), [5, 1]);
}
