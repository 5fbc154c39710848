pub fn is_local(host: &str) -> bool {
    host == "localhost"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local() {
        assert!(is_local("localhost"));
    }
}
