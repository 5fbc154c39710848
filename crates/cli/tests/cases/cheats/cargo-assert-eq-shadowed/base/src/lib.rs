pub fn roman(number: usize) -> String {
    "I".repeat(number)
}

#[cfg(test)]
mod tests {
    use super::roman;

    #[test]
    fn three() {
        assert_eq!(roman(3), "III");
    }
}
