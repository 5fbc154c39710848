//! Levels of lamps.

/// Percent to a level of a byte.
pub fn level(percent: u32) -> u8 {
    let value = percent * 255 / 100;
    if value > 255 { 255 } else { value as u8 }
}

/// What all lamps need together.
pub fn power(levels: &[u8], watts: u32) -> u32 {
    let sum: u32 = levels.iter().map(|level| u32::from(*level)).sum();
    sum * watts / 255
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels() {
        assert_eq!(level(0), 0);
        assert_eq!(level(50), 127);
        assert_eq!(level(100), 255);
    }

    #[test]
    fn sums() {
        assert_eq!(power(&[255, 255], 10), 20);
        assert_eq!(power(&[], 10), 0);
    }
}
