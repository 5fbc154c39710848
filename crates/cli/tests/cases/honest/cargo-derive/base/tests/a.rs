use x::Priority;

#[test]
fn shown() {
    assert_eq!(format!("{:?} {:?}", Priority::Low, Priority::High), "Low High");
}
