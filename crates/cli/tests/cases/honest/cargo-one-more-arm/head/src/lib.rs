pub fn factor(unit: &str) -> Option<u64> {
    match unit {
        "B" => Some(1),
        "KB" => Some(1_000),
        "MB" => Some(1_000_000),
        "GB" => Some(1_000_000_000),
        _ => None,
    }
}
