pub fn roman(number: usize) -> String {
    vec!["I"; number].concat()
}
