pub fn seconds(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("{text} is no number"))
}
