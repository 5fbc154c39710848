use x::{read, Shape};

#[test]
fn reads() {
    assert!(matches!(read("circle 2"), Ok(Shape::Circle(_))));
    assert!(matches!(read("square 3"), Ok(Shape::Square(_)) | Ok(_)));
    assert!(read("circle 2").is_ok());
}
