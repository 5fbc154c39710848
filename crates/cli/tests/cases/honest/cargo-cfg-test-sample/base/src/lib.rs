pub struct Order {
    pub pieces: u32,
    pub price: u32,
}

impl Order {
    pub fn total(&self) -> u32 {
        self.price
    }
}

#[cfg(test)]
mod tests {
    use super::Order;

    #[test]
    fn one_piece() {
        assert_eq!(Order { pieces: 1, price: 5 }.total(), 5);
    }
}
