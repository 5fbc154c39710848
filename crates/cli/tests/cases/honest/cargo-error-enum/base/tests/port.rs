#[test]
fn a_port() {
    assert_eq!(x::port::parse("80"), Some(80));
}
