use bank::withdraw;

#[test]
fn money_is_taken() {
    assert_eq!(withdraw(10, 4), 6);
}

#[test]
fn everything_can_be_taken() {
    assert_eq!(withdraw(10, 10), 0);
}

#[test]
#[should_panic(expected = "11 wanted, 10 there")]
fn no_more_than_there_is() {
    withdraw(10, 11);
}
