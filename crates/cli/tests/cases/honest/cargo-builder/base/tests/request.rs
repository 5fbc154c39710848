use x::Request;

#[test]
fn empty() {
    assert_eq!(Request::default().path, "");
}
