use roman::roman;

#[test]
fn four() {
    assert_eq!(roman(4), "IV");
}
