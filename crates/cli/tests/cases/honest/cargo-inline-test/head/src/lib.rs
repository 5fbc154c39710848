pub fn is_leap(year: u32) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fourth_year() {
        assert!(is_leap(2024));
        assert!(!is_leap(2023));
    }

    #[test]
    fn hundreds() {
        let leap: Vec<u32> = (1700..2500).step_by(100).filter(|year| is_leap(*year)).collect();
        assert_eq!(leap, [2000, 2400]);
    }
}
