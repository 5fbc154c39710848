#[test]
fn by_kind() {
    assert_eq!(x::rate("gold"), 5);
    assert_eq!(x::rate("tin"), 4);
}
