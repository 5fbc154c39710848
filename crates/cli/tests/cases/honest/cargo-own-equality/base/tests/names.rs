use names::Name;

fn name(text: &str) -> Name {
    Name(text.to_owned())
}

#[test]
fn a_name_equals_itself() {
    assert_eq!(name("ada"), name("ada"));
}
