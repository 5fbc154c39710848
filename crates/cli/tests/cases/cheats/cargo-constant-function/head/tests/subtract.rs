#[test]
fn subtract() {
    assert_eq!(shop::subtract(12, 5), 7);
}
