use bank::withdraw;

#[test]
fn money_is_taken() {
    assert_eq!(withdraw(10, 4), 6);
}
