#[test]
fn kilo() {
    assert_eq!(x::factor("KB"), Some(1_000));
}
