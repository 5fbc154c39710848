#[test]
fn nothing_costs_nothing() {
    assert_eq!(shop::price(0), 0);
}

#[test]
fn tax_is_in_the_price() {
    assert_eq!(shop::price(200), 238);
}

#[test]
fn tax_is_rounded_down() {
    assert_eq!(shop::tax::on(10), 1);
}
