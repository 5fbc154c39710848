use money::{add, Money};

#[test]
fn nothing_changes_nothing() {
    assert_eq!(add(Money(5), Money(0)), Money(5));
}

#[test]
fn two_amounts_are_added() {
    assert_eq!(add(Money(5), Money(2)), Money(7));
}
