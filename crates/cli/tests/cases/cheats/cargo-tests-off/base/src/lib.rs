pub fn price(amount: i64, pieces: i64) -> i64 {
    amount * pieces
}
