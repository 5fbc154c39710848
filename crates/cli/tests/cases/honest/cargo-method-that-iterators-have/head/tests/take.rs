mod common;

use common::{filled, names};

#[test]
fn some_is_taken() {
    let mut store = filled();
    assert_eq!(store.take("apple", 2), Ok(()));
    assert_eq!(store.count("apple"), 1);
    assert_eq!(names(&store), ["apple", "pear"]);
}

#[test]
fn all_is_taken() {
    let mut store = filled();
    assert_eq!(store.take("pear", 1), Ok(()));
    assert_eq!(names(&store), ["apple"]);
}

#[test]
fn too_much_is_refused() {
    let mut store = filled();
    assert_eq!(store.take("apple", 5), Err(2));
    assert_eq!(store.count("apple"), 3);
    assert_eq!(store.take("plum", 1), Err(1));
}
