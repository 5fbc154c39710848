pub fn roman(number: usize) -> String {
    "I".repeat(number)
}
