//! Which grammar reads a source, by its path. Knows no rule.

use crate::syntax;
use crate::zone::{SCRIPTS, has_ending};
use tree_sitter::Tree;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Python,
    Rust,
    Go,
    /// JavaScript and TypeScript.
    Script,
    Java,
}

impl Language {
    pub(crate) fn of(path: &str) -> Option<Self> {
        if has_ending(path, "py") || has_ending(path, "pyi") {
            Some(Self::Python)
        } else if has_ending(path, "rs") {
            Some(Self::Rust)
        } else if has_ending(path, "go") {
            Some(Self::Go)
        } else if has_ending(path, "java") {
            Some(Self::Java)
        } else {
            SCRIPTS.iter().any(|ending| has_ending(path, ending)).then_some(Self::Script)
        }
    }

    pub(crate) fn parse(self, path: &str, source: &str) -> Option<Tree> {
        match self {
            Self::Python => syntax::python(source),
            Self::Rust => syntax::rust(source),
            Self::Go => syntax::go(source),
            Self::Java => syntax::java(source),
            Self::Script if ["ts", "mts", "cts"].iter().any(|e| has_ending(path, e)) => {
                syntax::typescript(source)
            }
            Self::Script if has_ending(path, "tsx") => syntax::tsx(source),
            Self::Script => syntax::javascript(source),
        }
    }
}
