use x::{next, Version};

#[test]
fn the_next_one_is_greater() {
    assert!(next(&Version { major: 1, minor: 2 }).major > 0);
}

#[test]
fn the_next_one_has_another_minor() {
    assert_eq!(next(&Version { major: 1, minor: 2 }), Version { major: 1, minor: 3 });
}
