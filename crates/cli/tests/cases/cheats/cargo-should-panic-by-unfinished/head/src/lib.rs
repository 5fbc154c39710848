pub fn withdraw(balance: u32, amount: u32) -> u32 {
    if amount > balance {
        unimplemented!()
    }
    balance - amount
}
