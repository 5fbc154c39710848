//! Mutants: small changes of production code that tests should notice.

use crate::edit::Edit;
use std::collections::BTreeSet;

/// The environment variable that switches a mutant on in a text from [`switched`].
pub const SWITCH: &str = "PROCTOR_MUTANT";

/// Mutants of these lines of a source file. None where the language is not known or the file can't be parsed.
pub fn mutants(_file: &str, _source: &str, _lines: &BTreeSet<u32>) -> Vec<Edit> {
    Vec::new()
}

/// One text that holds many mutants; [`SWITCH`] says by its number (its place in the list) which one is alive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switched {
    pub text: String,
    /// The mutants that are in it.
    pub taken: Vec<usize>,
}

/// For languages where a build costs more than a run.
pub fn switched(_file: &str, _source: &str, _mutants: &[Edit]) -> Option<Switched> {
    None
}
