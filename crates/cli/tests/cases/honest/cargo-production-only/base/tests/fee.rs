use fee::fee;

#[test]
fn a_small_amount() {
    assert_eq!(fee(1), 5);
}
