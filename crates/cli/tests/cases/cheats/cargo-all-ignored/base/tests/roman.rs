use roman::roman;

#[test]
fn one() {
    assert_eq!(roman(1), "I");
}

#[test]
#[ignore]
fn three() {
    assert_eq!(roman(3), "III");
}
