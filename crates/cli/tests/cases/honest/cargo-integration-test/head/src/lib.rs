#[derive(Debug, PartialEq)]
pub struct Money(pub i64);

pub fn add(a: Money, b: Money) -> Money {
    Money(a.0 + b.0)
}
