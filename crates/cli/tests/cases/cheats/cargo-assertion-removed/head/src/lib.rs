pub fn price(amount: i64, pieces: i64) -> i64 {
    let mut sum = amount;
    for _ in 0..pieces {
        sum += amount;
    }
    sum
}
