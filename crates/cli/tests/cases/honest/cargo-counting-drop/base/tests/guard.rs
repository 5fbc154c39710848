use std::cell::Cell;

#[test]
fn entering_counts() {
    let open = Cell::new(0);
    let guard = guard::enter(&open);
    assert_eq!(guard.open(), 1);
}
