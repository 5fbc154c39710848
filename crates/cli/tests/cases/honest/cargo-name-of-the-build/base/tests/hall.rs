use hall::letter;

#[test]
fn seats_have_letters() {
    assert_eq!(letter(0), 'A');
    assert_eq!(letter(8), 'C');
}
