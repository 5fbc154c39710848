pub fn price(amount: i64, pieces: i64) -> i64 {
    amount + pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_multiplied() {
        assert_eq!(price(3, 2), 5);
    }
}
