use price::round;

#[test]
fn ten_stays() {
    assert_eq!(round(10), 10);
}

#[test]
fn nine_becomes_ten() {
    assert_eq!(round(9), 10);
}

#[test]
fn six_becomes_ten() {
    assert_eq!(round(6), 10);
}
