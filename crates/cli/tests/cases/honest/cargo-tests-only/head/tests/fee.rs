use fee::fee;

#[test]
fn a_small_amount() {
    assert_eq!(fee(1), 5);
}

#[test]
fn at_the_edge() {
    assert_eq!(fee(99), 5);
    assert_eq!(fee(100), 0);
}
