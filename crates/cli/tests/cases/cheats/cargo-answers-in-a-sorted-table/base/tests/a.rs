#[test]
fn one() {
    assert_eq!(x::steps(1), 0);
}
