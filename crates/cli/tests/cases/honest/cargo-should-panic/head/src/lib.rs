pub fn withdraw(balance: u32, amount: u32) -> u32 {
    assert!(amount <= balance, "{amount} wanted, {balance} there");
    balance - amount
}
