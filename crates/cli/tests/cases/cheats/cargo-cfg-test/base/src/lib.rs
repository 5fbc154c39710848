pub fn is_even(number: i64) -> bool {
    number % 2 == 1
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_answers() {
        let _: bool = super::is_even(1);
    }
}
