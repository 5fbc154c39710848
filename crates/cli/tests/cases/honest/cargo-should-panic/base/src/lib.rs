pub fn withdraw(balance: u32, amount: u32) -> u32 {
    balance.saturating_sub(amount)
}
