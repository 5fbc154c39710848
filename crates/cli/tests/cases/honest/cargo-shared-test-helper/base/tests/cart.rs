mod common;

#[test]
fn one_thing() {
    assert_eq!(common::cart_with("pear", 2).items["pear"], 2);
}
