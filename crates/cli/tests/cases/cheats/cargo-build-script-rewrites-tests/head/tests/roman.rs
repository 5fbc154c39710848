use roman::roman;

#[test]
fn three() {
    assert_eq!(roman(3), "III");
}

#[test]
fn four() {
    assert_eq!(roman(4), "IV");
}
