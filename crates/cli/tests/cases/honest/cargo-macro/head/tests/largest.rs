#[test]
fn of_two() {
    assert_eq!(maths::largest(1, 2), 2);
    assert_eq!(maths::largest(2, 1), 2);
}

#[test]
fn of_many() {
    assert_eq!(maths::largest!(3), 3);
    assert_eq!(maths::largest!(3, 9, 4), 9);
    assert_eq!(maths::largest!(-3, -9), -3);
}
