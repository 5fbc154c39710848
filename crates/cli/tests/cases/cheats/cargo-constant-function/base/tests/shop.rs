#[test]
fn add() {
    assert_eq!(shop::add(4, 5), 9);
}
