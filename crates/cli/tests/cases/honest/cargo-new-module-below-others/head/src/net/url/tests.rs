use super::split;

#[test]
fn scheme_and_rest() {
    assert_eq!(split("http://a/b"), Some(("http", "a/b")));
}

#[test]
fn no_address() {
    assert_eq!(split("a/b"), None);
    assert_eq!(split("://x"), None);
    assert_eq!(split("http://"), None);
}
