pub struct Order {
    pub pieces: u32,
    pub price: u32,
}

impl Order {
    pub fn total(&self) -> u32 {
        self.price * self.pieces
    }
}

#[cfg(test)]
impl Order {
    fn sample() -> Self {
        Self { pieces: 3, price: 7 }
    }
}

#[cfg(test)]
mod tests {
    use super::Order;

    #[test]
    fn one_piece() {
        assert_eq!(Order { pieces: 1, price: 5 }.total(), 5);
    }

    #[test]
    fn three_pieces() {
        assert_eq!(Order::sample().total(), 21);
    }
}
