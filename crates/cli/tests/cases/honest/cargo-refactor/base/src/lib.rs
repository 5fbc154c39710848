pub fn total(rows: &[(u32, u32)]) -> u32 {
    let mut sum = 0;
    for row in rows {
        sum += row.0 * row.1;
    }
    sum
}
