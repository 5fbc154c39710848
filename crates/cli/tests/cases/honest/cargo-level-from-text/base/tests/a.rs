#[test]
fn doubles() {
    assert_eq!(x::double(2), 4);
}
