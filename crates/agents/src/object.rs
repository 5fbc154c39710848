//! Finds the last JSON object in text that may hold anything else beside it: log lines, prose, code fences. The
//! work is linear in the text, whatever the text is.

use serde_json::{Map, Value};
use std::io::{self, Read};

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Found {
    Object(Map<String, Value>),
    /// Something began like an object and was not one; why, for the agent to read.
    Broken(String),
    Nothing,
}

/// The last whole JSON object in the text. One that stands inside another is part of that one.
pub(crate) fn last_object(text: &[u8]) -> Found {
    let text = String::from_utf8_lossy(text);
    let bytes = text.as_bytes();
    let mut found = Found::Nothing;
    let mut at = 0;
    while let Some(begin) = next_opening(bytes, at) {
        let mut counted = Counted { rest: &bytes[begin..], taken: 0 };
        // The parser refuses what is nested deeper than 128 levels.
        let mut values =
            serde_json::Deserializer::from_reader(&mut counted).into_iter::<Map<String, Value>>();
        let next = values.next();
        let parsed = values.byte_offset();
        match next {
            Some(Ok(object)) => {
                found = Found::Object(object);
                at = begin + parsed.max(1);
            }
            Some(Err(error)) => {
                if !matches!(found, Found::Object(_)) {
                    found = Found::Broken(error.to_string());
                }
                // On from where it broke, never back: this keeps the work linear, and the parts of a broken
                // object from being taken for an answer. The last byte taken may begin the next object.
                at = begin + counted.taken.saturating_sub(1).max(1);
            }
            None => break,
        }
    }
    found
}

/// The next `{` that a key or a `}` follows; no other can begin an object.
fn next_opening(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let begin = at + bytes.get(at..)?.iter().position(|b| *b == b'{')?;
        let after = bytes[begin + 1..]
            .iter()
            .position(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n'))
            .map_or(bytes.len(), |gap| begin + 1 + gap);
        match bytes.get(after) {
            Some(b'"' | b'}') => return Some(begin),
            Some(_) => at = after,
            None => return None,
        }
    }
}

/// Counts the bytes that the parser took.
struct Counted<'a> {
    rest: &'a [u8],
    taken: usize,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.rest.read(buffer)?;
        self.taken += count;
        Ok(count)
    }
}

#[cfg(test)]
#[path = "object_tests.rs"]
mod tests;
