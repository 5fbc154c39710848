pub fn run(words: &[String]) -> (i32, String) {
    (0, words.join(" "))
}
