#[test]
fn an_empty_basket_costs_nothing() {
    assert_eq!(shop::total(&[]), 0);
}
