pub fn one() -> i32 {
    1
}

#[derive(Debug)]
pub enum Shape {
    Circle(f64),
    Square(f64),
}

pub fn read(_text: &str) -> Result<Shape, String> {
    Ok(Shape::Circle(0.0))
}
