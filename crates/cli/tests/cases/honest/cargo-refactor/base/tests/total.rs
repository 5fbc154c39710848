use shop::total;

#[test]
fn rows_are_added_up() {
    assert_eq!(total(&[(3, 2), (5, 1)]), 11);
}

#[test]
fn no_rows() {
    assert_eq!(total(&[]), 0);
}
