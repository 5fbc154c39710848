#[test]
fn zero() {
    assert_eq!(x::half(0.0), 0.0);
}
