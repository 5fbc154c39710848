//! Where a JavaScript error arose: the frames of a stack text that lie in the tree. Judges nothing.

use crate::ask::{Ask, slashed};
use proctor_core::report::Place;
use std::path::{Path, PathBuf};

/// The tree as tools name it: by the path that they were given, or by the real one behind a link.
pub(crate) struct Root {
    pub(crate) tree: PathBuf,
    real: PathBuf,
}

/// A frame in one of the project's own files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// Relative to the tree's root.
    pub(crate) file: String,
    pub(crate) line: u32,
    /// From one.
    pub(crate) column: u32,
}

impl Frame {
    pub(crate) fn place(&self) -> Place {
        Place { file: self.file.clone(), line: Some(self.line) }
    }
}

impl Root {
    pub(crate) fn of(ask: &Ask) -> Self {
        let real = ask.tree.canonicalize().unwrap_or_else(|_| ask.tree.clone());
        Self { tree: ask.tree.clone(), real }
    }

    /// A path of the project's own code relative to the tree's root; none for what is installed or lies elsewhere.
    pub(crate) fn inside(&self, path: &str) -> Option<String> {
        let path = path.strip_prefix("file://").map_or_else(|| path.to_owned(), decoded);
        let path = path.split(['?', '#']).next().unwrap_or(&path);
        let path = Path::new(path);
        let inside =
            path.strip_prefix(&self.tree).or_else(|_| path.strip_prefix(&self.real)).ok()?;
        let inside = slashed(inside);
        (!inside.is_empty() && !inside.split('/').any(|p| p == "node_modules" || p == ".."))
            .then_some(inside)
    }

    /// The frames of the project's own files, innermost first.
    pub(crate) fn frames(&self, stack: &str) -> Vec<Frame> {
        stack.lines().filter_map(|line| self.frame(line)).collect()
    }

    fn frame(&self, line: &str) -> Option<Frame> {
        let rest = line.trim_start().strip_prefix("at ")?.trim_end();
        let inner = match rest.rfind(" (") {
            Some(at) => rest.get(at + 2..)?.strip_suffix(')')?,
            None => rest.strip_prefix("async ").unwrap_or(rest),
        };
        let (rest, column) = inner.rsplit_once(':')?;
        let (path, line) = rest.rsplit_once(':')?;
        Some(Frame {
            file: self.inside(path)?,
            line: line.parse().ok()?,
            column: column.parse().ok()?,
        })
    }

    /// The first `path:line` of the project that a text names: what compilers say about a syntax error.
    pub(crate) fn named(&self, text: &str) -> Option<Place> {
        let starts = [&self.tree, &self.real].map(|p| p.to_string_lossy().into_owned());
        for start in starts {
            for (at, _) in text.match_indices(&start) {
                let rest = text.get(at..).unwrap_or("");
                let end = rest.find([':', ' ', '\n', '\'', '"', ')', ',']).unwrap_or(rest.len());
                let (path, after) = rest.split_at(end);
                let Some(file) = self.inside(path) else {
                    continue;
                };
                let digits: String =
                    after.chars().skip(1).take_while(char::is_ascii_digit).collect();
                if let (true, Ok(line)) = (after.starts_with(':'), digits.parse()) {
                    return Some(Place { file, line: Some(line) });
                }
            }
        }
        None
    }
}

/// The path of a `file://` address, its `%20` and the like resolved.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, more)) = rest.split_first() {
        let code = (*first == b'%')
            .then(|| more.get(..2).and_then(|two| std::str::from_utf8(two).ok()))
            .flatten()
            .and_then(|two| u8::from_str_radix(two, 16).ok());
        if let Some(byte) = code {
            bytes.push(byte);
            rest = more.get(2..).unwrap_or(&[]);
        } else {
            bytes.push(*first);
            rest = more;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A text without the codes that colour a terminal.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c == '\u{1b}' {
            // `ESC [ … letter`
            for c in rest.by_ref() {
                if c.is_ascii_alphabetic() {
                    break;
                }
            }
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root() -> Root {
        Root { tree: PathBuf::from("/t/tree"), real: PathBuf::from("/real/tree") }
    }

    #[test]
    fn only_frames_of_the_projects_own_files_are_kept() {
        let stack = "Error: x\n    at boom (/t/tree/src/a.js:3:28)\n    at async Promise.all (index 0)\n\
            \x20   at file:///real/tree/my%20src/b.test.mjs:7:1\n    at run (/t/tree/node_modules/x/i.js:1:1)\n\
            \x20   at node:internal/x:1:2\n    at async f (/t/tree/c.ts?v=1:9:2)\n    at /elsewhere/d.js:1:1";
        let shown: Vec<String> = root()
            .frames(stack)
            .iter()
            .map(|f| format!("{}:{}:{}", f.file, f.line, f.column))
            .collect();
        assert_eq!(shown, ["src/a.js:3:28", "my src/b.test.mjs:7:1", "c.ts:9:2"]);
    }

    #[test]
    fn the_place_that_a_compiler_names_is_found() {
        let text =
            "Transform failed with 1 error:\n/t/tree/a.test.ts:2:18: ERROR: Unexpected \";\"";
        assert_eq!(root().named(text).map(|p| p.to_string()), Some("a.test.ts:2".to_owned()));
        assert_eq!(root().named("Cannot find module '/t/tree/a.js'"), None);
    }

    #[test]
    fn colours_are_taken_out() {
        assert_eq!(plain("\u{1b}[96ma.ts\u{1b}[0m:\u{1b}[93m3\u{1b}[0m"), "a.ts:3");
    }
}
