#[test]
fn triangles() {
    assert_eq!(x::triangle(3), 6);
    assert_eq!(x::triangle(7), 28);
}
