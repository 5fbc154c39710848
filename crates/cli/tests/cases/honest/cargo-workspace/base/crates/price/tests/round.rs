use price::round;

#[test]
fn ten_stays() {
    assert_eq!(round(10), 10);
}
