use hall::{letter, row};

#[test]
fn seats_have_letters() {
    assert_eq!(letter(0), 'A');
    assert_eq!(letter(8), 'C');
}

#[test]
fn rows_begin_with_one() {
    assert_eq!(row(0), 1);
    assert_eq!(row(5), 1);
    assert_eq!(row(6), 2);
    assert_eq!(row(40), 7);
}
