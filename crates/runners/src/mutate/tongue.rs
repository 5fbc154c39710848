//! The languages that are mutated: which one a file is in, and how it writes the few things that mutants are made of.
//! Knows no operator.

use crate::syntax;
use crate::zone::has_ending;
use tree_sitter::Tree;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tongue {
    Python,
    Rust,
    Go,
    JavaScript,
    TypeScript,
    /// TypeScript with elements.
    Tsx,
}

impl Tongue {
    /// By the ending of a file's name. Declarations without bodies (`.d.ts`, `.pyi`) hold nothing to mutate.
    pub(super) fn of(file: &str) -> Option<Self> {
        let name = file.rsplit('/').next().unwrap_or(file);
        let (stem, ending) = name.rsplit_once('.')?;
        match ending {
            "py" => Some(Self::Python),
            "rs" => Some(Self::Rust),
            "go" => Some(Self::Go),
            "js" | "cjs" | "mjs" | "jsx" => Some(Self::JavaScript),
            "ts" | "cts" | "mts" => (!has_ending(stem, "d")).then_some(Self::TypeScript),
            "tsx" => Some(Self::Tsx),
            _ => None,
        }
    }

    pub(super) fn parse(self, source: &str) -> Option<Tree> {
        match self {
            Self::Python => syntax::python(source),
            Self::Rust => syntax::rust(source),
            Self::Go => syntax::go(source),
            Self::JavaScript => syntax::javascript(source),
            Self::TypeScript => syntax::typescript(source),
            Self::Tsx => syntax::tsx(source),
        }
    }

    /// The other truth of a condition. `condition` may be in brackets already.
    pub(super) fn negated(self, condition: &str) -> String {
        let not = if self == Self::Python { "not " } else { "!" };
        format!("{not}({condition})")
    }

    /// A condition that never holds. Go refuses names that are not used, so the old one stays there.
    pub(super) fn never(self, condition: &str) -> String {
        match self {
            Self::Python => "False".to_owned(),
            Self::Go => format!("false && ({condition})"),
            Self::Rust | Self::JavaScript | Self::TypeScript | Self::Tsx => "false".to_owned(),
        }
    }

    /// What stands in the place of a statement that is left out.
    pub(super) fn without(self, statement: &str) -> String {
        match self {
            Self::Python => "pass".to_owned(),
            Self::Go => format!("if false {{ {statement} }}"),
            Self::Rust | Self::JavaScript | Self::TypeScript | Self::Tsx => ";".to_owned(),
        }
    }
}
