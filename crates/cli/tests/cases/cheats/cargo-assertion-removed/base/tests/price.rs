use shop::price;

#[test]
fn pieces_are_multiplied() {
    let got = price(3, 2);
    assert_eq!(got, 6);
}
