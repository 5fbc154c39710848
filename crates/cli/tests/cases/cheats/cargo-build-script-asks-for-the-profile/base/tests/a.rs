#[test]
fn one() {
    assert_eq!(x::rate(""), 1);
}
