#[test]
fn empty() {
    assert_eq!(x::caesar(""), "");
}
