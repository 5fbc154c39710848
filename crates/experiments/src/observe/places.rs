//! The places of one test, or of one function that helps tests, that ask something, and what is written there instead. They
//! are counted in the order of the source, so that they have the same numbers in every copy.

use super::put;
use proctor_lang::Edit;
use std::ops::Range;
use tree_sitter::Node;

pub(crate) struct Places {
    /// Of which copy they tell, as the language writes it.
    pub(crate) at: String,
    /// The number of a place that is still free.
    pub(crate) next: usize,
    pub(crate) found: Vec<Edit>,
}

impl Places {
    /// They are counted from `first`.
    pub(crate) fn new(at: impl Into<String>, first: usize) -> Self {
        Self { at: at.into(), next: first, found: Vec::new() }
    }

    pub(crate) fn number(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    /// The next place, with the copy that it is of.
    pub(crate) fn site(&mut self) -> String {
        let number = self.number();
        format!("{}, {number}", self.at)
    }

    pub(crate) fn put(&mut self, at: usize, text: impl Into<String>) {
        self.found.push(put(at, at, text));
    }

    pub(crate) fn replace(&mut self, range: Range<usize>, text: impl Into<String>) {
        self.found.push(put(range.start, range.end, text));
    }

    /// Puts a node between two texts.
    pub(crate) fn around(&mut self, node: Node<'_>, open: impl Into<String>, close: &str) {
        self.put(node.start_byte(), open);
        self.put(node.end_byte(), close);
    }
}
