#[test]
fn large_letters() {
    assert_eq!(text::upper("a"), "A");
}
