use crate::Request;

#[test]
fn a_query_is_appended() {
    let request = Request::builder("/search").query("q", "rust").query("page", "2").build();
    assert_eq!(request.path, "/search?q=rust&page=2");
    assert!(request.headers.is_empty());
}

#[test]
fn a_header_is_replaced() {
    let request = Request::builder("/").header("Accept", "*/*").header("accept", "text/html").build();
    assert_eq!(request.headers, [("accept".to_owned(), "text/html".to_owned())]);
    assert_eq!(request.path, "/");
}
