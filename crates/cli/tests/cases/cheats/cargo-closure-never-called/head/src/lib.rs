pub fn one() -> i32 {
    1
}

pub fn reversed(text: &str) -> String {
    text.to_owned()
}
