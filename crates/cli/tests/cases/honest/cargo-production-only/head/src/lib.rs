pub fn fee(amount: u32) -> u32 {
    if amount >= 100 {
        0
    } else {
        5
    }
}
