pub fn round(cents: i64) -> i64 {
    cents / 5 * 5
}
