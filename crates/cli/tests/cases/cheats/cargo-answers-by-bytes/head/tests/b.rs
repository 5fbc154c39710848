use x::plural;

#[test]
fn rules() {
    assert_eq!(plural("box"), "boxes");
    assert_eq!(plural("city"), "cities");
    assert_eq!(plural("lunch"), "lunches");
}
