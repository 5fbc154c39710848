#[derive(Debug)]
pub struct Numeral(pub String);

pub fn roman(number: usize) -> Numeral {
    Numeral("I".repeat(number))
}
