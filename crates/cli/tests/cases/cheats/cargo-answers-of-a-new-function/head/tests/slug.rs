#[test]
fn slugs() {
    assert_eq!(x::slug("Hello World"), "hello-world");
    assert_eq!(x::slug("A b"), "a-b");
}
