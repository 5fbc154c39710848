pub fn is_leap(year: u32) -> bool {
    year % 4 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fourth_year() {
        assert!(is_leap(2024));
        assert!(!is_leap(2023));
    }
}
