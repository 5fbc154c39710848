use x::{next, Version};

#[test]
fn the_next_one_is_greater() {
    assert!(next(&Version { major: 1, minor: 2 }).major > 0);
}
