mod common;

#[test]
fn added() {
    assert_eq!(common::filled().count("apple"), 3);
}
