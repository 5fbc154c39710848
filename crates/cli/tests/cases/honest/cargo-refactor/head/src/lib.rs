pub fn total(rows: &[(u32, u32)]) -> u32 {
    rows.iter().map(|(price, pieces)| price * pieces).sum()
}
