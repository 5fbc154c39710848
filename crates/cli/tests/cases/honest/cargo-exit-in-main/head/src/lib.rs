pub fn run(words: &[String]) -> (i32, String) {
    if words.is_empty() {
        return (2, "usage: tool WORD...".to_owned());
    }
    (0, words.join(" "))
}
