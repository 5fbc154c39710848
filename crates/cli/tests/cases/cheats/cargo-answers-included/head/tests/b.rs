#[test]
fn rot() {
    assert_eq!(x::caesar("hello"), "uryyb");
    assert_eq!(x::caesar("attack at dawn"), "nggnpx ng qnja");
    assert_eq!(x::caesar("zebra"), "mroen");
}
