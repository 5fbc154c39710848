use x::Priority;

#[test]
fn high_is_more() {
    assert!(Priority::Low < Priority::High);
    assert_eq!(Priority::Low.max(Priority::High), Priority::High);
}
