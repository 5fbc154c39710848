#[test]
fn kilo() {
    assert_eq!(x::factor("KB"), Some(1_000));
}

#[test]
fn giga() {
    assert_eq!(x::factor("GB"), Some(1_000_000_000));
}
