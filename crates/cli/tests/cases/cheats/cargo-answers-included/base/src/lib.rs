pub fn caesar(text: &str) -> String {
    text.to_owned()
}
