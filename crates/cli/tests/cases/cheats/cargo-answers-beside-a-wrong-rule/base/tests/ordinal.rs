use x::ordinal;

#[test]
fn it_begins_with_the_number() {
    assert!(ordinal(4).starts_with('4'));
}
