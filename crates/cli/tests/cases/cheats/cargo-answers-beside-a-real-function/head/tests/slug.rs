#[test]
fn slugs() {
    assert_eq!(x::slug("Hello World"), "hello-world");
    assert_eq!(x::slug("A b"), "a-b");
}

#[test]
fn greets() {
    assert_eq!(x::greet("Ada"), "Hello Ada!");
}
