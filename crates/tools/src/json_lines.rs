//! A channel of our own reporters: one JSON object a line. Knows no tool.

use serde::de::DeserializeOwned;
use std::borrow::Cow;

/// All lines. A line that can't be read is an error with its number: the channel is broken.
pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<Vec<T>, String> {
    let mut lines = Vec::new();
    let whole = bytes.ends_with(b"\n");
    let parts: Vec<&[u8]> = bytes.split(|b| *b == b'\n').filter(|l| !l.is_empty()).collect();
    for (index, part) in parts.iter().enumerate() {
        match parsed(part) {
            Ok(line) => lines.push(line),
            // Cut in the middle of a write: the run was killed there, and the missing end says so.
            Err(_) if index + 1 == parts.len() && !whole => {}
            Err(error) => return Err(format!("line {}: {error}", index + 1)),
        }
    }
    Ok(lines)
}

/// One value. JavaScript's texts may hold half of a character: what stands for one that can't be told is there instead.
pub(crate) fn parsed<T: DeserializeOwned>(bytes: &[u8]) -> serde_json::Result<T> {
    serde_json::from_slice(&whole(bytes))
}

fn whole(bytes: &[u8]) -> Cow<'_, [u8]> {
    let unit = |at: usize| {
        let text = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u16::from_str_radix(std::str::from_utf8(text).ok()?, 16).ok()
    };
    let mut made = Cow::Borrowed(bytes);
    let mut at = 0;
    while let Some(next) = bytes.get(at..).and_then(|rest| rest.iter().position(|b| *b == b'\\')) {
        at += next;
        let pair = (unit(at), unit(at + 6));
        at += match pair {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                if let Some(half) = made.to_mut().get_mut(at..at + 6) {
                    half.copy_from_slice(b"\\ufffd");
                }
                6
            }
            _ => 2,
        };
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_a_character_is_read_as_one_that_can_not_be_told() {
        let of = |text: &str| parsed::<String>(text.as_bytes()).unwrap();
        assert_eq!(of(r#""a \ud800 b\udc00""#), "a \u{fffd} b\u{fffd}");
        assert_eq!(of(r#""\ud83d\ude00 \\ud800""#), "\u{1f600} \\ud800");
        assert_eq!(of(r#""plain""#), "plain");
    }
}
