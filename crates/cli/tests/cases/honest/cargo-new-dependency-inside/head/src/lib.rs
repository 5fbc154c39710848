pub mod tax;

pub fn price(amount: u32) -> u32 {
    amount + tax::on(amount)
}
