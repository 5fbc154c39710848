use std::cell::Cell;

#[test]
fn entering_counts() {
    let open = Cell::new(0);
    let guard = guard::enter(&open);
    assert_eq!(guard.open(), 1);
}

#[test]
fn leaving_counts_too() {
    let open = Cell::new(0);
    let first = guard::enter(&open);
    drop(guard::enter(&open));
    assert_eq!(first.open(), 1);
    drop(first);
    assert_eq!(open.get(), 0);
}
