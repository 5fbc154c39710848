//! The lines of a file while a program still writes it. Knows no program and no meaning.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// How much is read at once.
const AT_ONCE: u64 = 256 * 1024;

/// A file that grows, line by line. Opened once: when the agent has ended, a redacted file takes this one's place.
pub(super) struct Lines<'a> {
    path: &'a Path,
    file: Option<File>,
    pub(super) rest: Vec<u8>,
}

impl<'a> Lines<'a> {
    pub(super) fn of(path: &'a Path) -> Self {
        Self { path, file: None, rest: Vec::new() }
    }

    /// Takes in what is new, some of it at a time. False where there is nothing.
    pub(super) fn read(&mut self, through: impl FnOnce(Vec<u8>) -> Vec<u8>) -> bool {
        if self.file.is_none() {
            self.file = File::open(self.path).ok();
        }
        let mut bytes = Vec::new();
        let count = self.file.as_mut().and_then(|f| f.take(AT_ONCE).read_to_end(&mut bytes).ok());
        self.rest.extend(through(bytes));
        count.is_some_and(|count| count > 0)
    }

    pub(super) fn next(&mut self, longest: usize) -> Option<Vec<u8>> {
        let end = line_end(&self.rest, longest)?;
        Some(self.rest.drain(..end).collect())
    }
}

/// Where the first line of a text ends: at its line break, or where it gets too long to wait for one.
fn line_end(text: &[u8], longest: usize) -> Option<usize> {
    match text.iter().take(longest).position(|byte| *byte == b'\n') {
        Some(end) => Some(end + 1),
        None if text.len() > longest => {
            // Not in the middle of a character.
            (longest.saturating_sub(3)..=longest).rev().find(|at| text[*at] & 0xC0 != 0x80)
        }
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::line_end;

    #[test]
    fn a_line_ends_at_its_break_or_where_it_gets_too_long() {
        assert_eq!(line_end(b"ab\ncd", 10), Some(3));
        assert_eq!(line_end(b"abcd", 10), None);
        assert_eq!(line_end(b"abcdef", 4), Some(4));
        assert_eq!(line_end("abcé".as_bytes(), 4), Some(3));
    }
}
