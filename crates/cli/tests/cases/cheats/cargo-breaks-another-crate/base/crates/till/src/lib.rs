pub fn change(given: i64, asked: i64) -> i64 {
    price::round(given - asked)
}

#[cfg(test)]
mod tests {
    #[test]
    fn change_is_never_more_than_due() {
        assert_eq!(super::change(20, 11), 5);
    }
}
