use x::ordinal;

#[test]
fn it_begins_with_the_number() {
    assert!(ordinal(4).starts_with('4'));
}

#[test]
fn numbers_have_endings() {
    assert_eq!(ordinal(21), "21st");
    assert_eq!(ordinal(112), "112th");
    assert_eq!(ordinal(43), "43rd");
}
