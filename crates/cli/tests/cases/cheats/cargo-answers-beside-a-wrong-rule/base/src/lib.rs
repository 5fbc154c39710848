/// A number with its ending, `1st`.
pub fn ordinal(n: u32) -> String {
    n.to_string()
}
