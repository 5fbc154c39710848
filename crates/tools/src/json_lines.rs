//! A channel of our own reporters: one JSON object a line. Knows no tool.

use serde::de::DeserializeOwned;

/// All lines. A line that can't be read is an error with its number: the channel is broken.
pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<Vec<T>, String> {
    let mut lines = Vec::new();
    let whole = bytes.ends_with(b"\n");
    let parts: Vec<&[u8]> = bytes.split(|b| *b == b'\n').filter(|l| !l.is_empty()).collect();
    for (index, part) in parts.iter().enumerate() {
        match serde_json::from_slice(part) {
            Ok(line) => lines.push(line),
            // Cut in the middle of a write: the run was killed there, and the missing end says so.
            Err(_) if index + 1 == parts.len() && !whole => {}
            Err(error) => return Err(format!("line {}: {error}", index + 1)),
        }
    }
    Ok(lines)
}
