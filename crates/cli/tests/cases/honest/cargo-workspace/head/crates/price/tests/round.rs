use price::round;

#[test]
fn ten_stays() {
    assert_eq!(round(10), 10);
}

#[test]
fn cents_are_rounded_down_to_fives() {
    assert_eq!([9, 10, 14, 15].map(round), [5, 10, 10, 15]);
}
