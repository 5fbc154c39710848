pub fn rate(kind: &str) -> u32 {
    if cfg!(fast) {
        1 + kind.len() as u32
    } else {
        1
    }
}
