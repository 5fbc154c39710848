pub fn upper(text: &str) -> String {
    text.to_uppercase()
}
