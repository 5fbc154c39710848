#[test]
fn of_two() {
    assert_eq!(maths::largest(1, 2), 2);
    assert_eq!(maths::largest(2, 1), 2);
}
