//! Levels of lamps.

const FULL: u32 = 255;

fn scaled(value: u32, from: u32, to: u32) -> u32 {
    value * to / from
}

/// Percent to a level of a byte.
pub fn level(percent: u32) -> u8 {
    scaled(percent, 100, FULL).min(FULL) as u8
}

/// What all lamps need together.
pub fn power(levels: &[u8], watts: u32) -> u32 {
    let sum: u32 = levels.iter().map(|level| u32::from(*level)).sum();
    scaled(sum, FULL, watts)
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
