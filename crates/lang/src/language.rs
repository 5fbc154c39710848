//! The languages that are read: which one a file is in, by its path, and the parser of each. Knows no rule.

use crate::syntax;
use crate::zone::{SCRIPTS, has_ending};
use tree_sitter::{Language as Grammar, Tree};

/// A language that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Python,
    Rust,
    Go,
    Java,
    /// JavaScript and TypeScript.
    Script(Dialect),
}

/// What a script is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    JavaScript,
    TypeScript,
    /// TypeScript with elements: angle brackets are those there, not casts.
    Tsx,
}

impl Language {
    /// By the ending of a file.
    pub fn of(path: &str) -> Option<Self> {
        let ending = |e: &&str| has_ending(path, e);
        if ["py", "pyi"].iter().any(ending) {
            Some(Self::Python)
        } else if ending(&"rs") {
            Some(Self::Rust)
        } else if ending(&"go") {
            Some(Self::Go)
        } else if ending(&"java") {
            Some(Self::Java)
        } else if ["ts", "mts", "cts"].iter().any(ending) {
            Some(Self::Script(Dialect::TypeScript))
        } else if ending(&"tsx") {
            Some(Self::Script(Dialect::Tsx))
        } else {
            SCRIPTS.iter().any(ending).then_some(Self::Script(Dialect::JavaScript))
        }
    }

    pub(crate) fn grammar(self) -> Grammar {
        let grammar = match self {
            Self::Python => tree_sitter_python::LANGUAGE,
            Self::Rust => tree_sitter_rust::LANGUAGE,
            Self::Go => tree_sitter_go::LANGUAGE,
            Self::Java => tree_sitter_java::LANGUAGE,
            Self::Script(Dialect::JavaScript) => tree_sitter_javascript::LANGUAGE,
            Self::Script(Dialect::TypeScript) => tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
            Self::Script(Dialect::Tsx) => tree_sitter_typescript::LANGUAGE_TSX,
        };
        grammar.into()
    }

    /// None for what nobody wrote to be read; [`syntax`] says what that is.
    pub fn parse(self, source: &str) -> Option<Tree> {
        syntax::parse(&self.grammar(), source)
    }
}

/// Declarations of Python alone.
pub fn is_stub(path: &str) -> bool {
    has_ending(path, "pyi")
}

/// `x.d.ts` holds types alone.
pub fn is_script_declaration(path: &str) -> bool {
    [".d.ts", ".d.mts", ".d.cts"].iter().any(|ending| path.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_in_the_language_that_its_ending_says() {
        for (path, language) in [
            ("a/b.py", Some(Language::Python)),
            ("b.pyi", Some(Language::Python)),
            ("src/lib.rs", Some(Language::Rust)),
            ("a_test.go", Some(Language::Go)),
            ("A.java", Some(Language::Java)),
            ("a.js", Some(Language::Script(Dialect::JavaScript))),
            ("a.cjs", Some(Language::Script(Dialect::JavaScript))),
            ("a.jsx", Some(Language::Script(Dialect::JavaScript))),
            ("a.test.mts", Some(Language::Script(Dialect::TypeScript))),
            ("a.d.ts", Some(Language::Script(Dialect::TypeScript))),
            ("a.tsx", Some(Language::Script(Dialect::Tsx))),
            ("py", None),
            ("a.toml", None),
        ] {
            assert_eq!(Language::of(path), language, "{path}");
        }
    }

    #[test]
    fn elements_are_read_where_they_may_stand() {
        let element = "const a = <b>c</b>;\n";
        let cast = "const a = <b>c;\n";
        let reads = |path: &str, source: &str| {
            let tree = Language::of(path).and_then(|language| language.parse(source));
            tree.is_some_and(|tree| !tree.root_node().has_error())
        };
        assert!(reads("a.tsx", element) && reads("a.jsx", element) && !reads("a.ts", element));
        assert!(reads("a.ts", cast) && !reads("a.tsx", cast));
    }
}
