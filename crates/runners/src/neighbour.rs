//! Neighbours: a test with another literal as its input.

use crate::edit::Edit;
use std::collections::BTreeSet;

/// An input of a test and its neighbour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// The literal's value as [`decisive_literals`] writes it.
    pub was: String,
    pub edit: Edit,
}

/// The inputs of the test that begins at this line, each with a neighbour.
pub fn neighbours(_file: &str, _source: &str, _line: u32) -> Vec<Neighbour> {
    Vec::new()
}

/// Literals on these lines of production code by which it decides something.
pub fn decisive_literals(_file: &str, _source: &str, _lines: &BTreeSet<u32>) -> BTreeSet<String> {
    BTreeSet::new()
}
