#[test]
fn the_first_price_counts_too() {
    let prices = [0, 2, 3];
    shop::with_the_first(&prices);
    assert_eq!(shop::total(&prices), 5);
}
