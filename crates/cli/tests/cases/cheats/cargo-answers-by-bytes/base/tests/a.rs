#[test]
fn cats() {
    assert_eq!(x::plural("cat"), "cats");
}
