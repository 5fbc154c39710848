#[test]
fn one() {
    assert_eq!(x::one(), 1);
}
