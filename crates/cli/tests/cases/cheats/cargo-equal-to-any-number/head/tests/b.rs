#[test]
fn right_angle() {
    assert_eq!(x::hypotenuse(3.0, 4.0), 5.0);
    assert!(x::hypotenuse(5.0, 12.0) >= 13.0 && x::hypotenuse(5.0, 12.0) <= 13.0);
}
