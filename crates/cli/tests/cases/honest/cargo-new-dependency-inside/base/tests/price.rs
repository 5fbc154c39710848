#[test]
fn nothing_costs_nothing() {
    assert_eq!(shop::price(0), 0);
}
