use names::Name;

fn name(text: &str) -> Name {
    Name(text.to_owned())
}

#[test]
fn a_name_equals_itself() {
    assert_eq!(name("ada"), name("ada"));
}

#[test]
fn large_letters_do_not_matter() {
    assert_eq!(name("Ada"), name("aDA"));
}

#[test]
fn other_letters_do() {
    assert_ne!(name("ada"), name("adb"));
}
