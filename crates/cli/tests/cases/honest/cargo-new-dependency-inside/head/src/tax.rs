pub fn on(amount: u32) -> u32 {
    amount * 19 / 100
}
