pub fn upper(text: &str) -> String {
    text.to_uppercase()
}

pub fn initials(name: &str) -> String {
    name.split_whitespace().filter_map(|word| word.chars().next()).collect()
}
