pub fn change(given: i64, asked: i64) -> i64 {
    price::round(given - asked)
}

#[cfg(test)]
mod tests {
    #[test]
    fn change_is_what_is_left() {
        assert_eq!(super::change(20, 10), 10);
    }
}
