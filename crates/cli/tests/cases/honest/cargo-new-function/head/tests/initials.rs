use text::initials;

#[test]
fn two_words() {
    assert_eq!(initials("Ada Lovelace"), "AL");
}

#[test]
fn no_word() {
    assert_eq!(initials(" "), "");
}
