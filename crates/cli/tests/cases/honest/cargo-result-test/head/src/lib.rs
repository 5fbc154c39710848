pub fn seconds(text: &str) -> Result<u32, String> {
    let (digits, factor) = match text.strip_suffix('m') {
        Some(minutes) => (minutes, 60),
        None => (text, 1),
    };
    let number: u32 = digits.parse().map_err(|_| format!("{text} is no number"))?;
    Ok(number * factor)
}
