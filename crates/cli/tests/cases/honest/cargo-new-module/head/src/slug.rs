/// A text as part of an address.
pub fn slug(text: &str) -> String {
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join("-")
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn words_are_joined() {
        assert_eq!(slug("Hello, World!"), "hello-world");
        assert_eq!(slug("  A  b "), "a-b");
    }

    #[test]
    fn nothing_is_nothing() {
        assert_eq!(slug("--"), "");
    }
}
