use roman::roman;

#[test]
fn three() {
    assert_eq!(roman(3).0, "III");
}
