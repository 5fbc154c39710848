/// Reads a port.
pub fn parse(text: &str) -> Option<u16> {
    text.parse().ok()
}
