//! Whose a common name is: `parse`, `sum` and `size` say nothing about what is tested where every program has them, and
//! are what is tested where a project calls its own functions so.

use super::force::{Claim, Force};
use super::tokens::{Kind, Token, is_common};
use proctor_lang::Language;
use proctor_lang::syntax;
use std::collections::BTreeSet;
use tree_sitter::Node;

const OF_PYTHON: [&str; 21] = [
    "len", "str", "list", "sorted", "int", "float", "dict", "set", "tuple", "abs", "round", "sum",
    "any", "all", "type", "repr", "bool", "min", "max", "next", "iter",
];
const OF_SCRIPT: [&str; 5] = ["Number", "Array", "Object", "String", "Error"];
const OF_RUST: [&str; 5] = ["Ok", "Some", "Err", "None", "vec"];
const OF_GO: [&str; 3] = ["len", "min", "max"];

/// The common names that a file takes from elsewhere.
#[derive(Debug, Default)]
pub(super) struct Own {
    named: BTreeSet<String>,
    /// It takes all that there is, so any name may be one of those.
    all: bool,
}

impl Own {
    pub(super) fn of(root: Node<'_>, source: &str) -> Self {
        let mut own = Self::default();
        syntax::walk(root, &|_| true, &mut |node| {
            let takes = match node.kind() {
                "import_statement" | "import_from_statement" | "use_declaration" => true,
                "variable_declarator" => {
                    syntax::field(node, "value", source).starts_with("require(")
                }
                _ => false,
            };
            if takes {
                own.take(node, source);
            }
        });
        own
    }

    fn take(&mut self, node: Node<'_>, source: &str) {
        syntax::walk(node, &|_| true, &mut |n| {
            self.all |= matches!(n.kind(), "wildcard_import" | "use_wildcard");
            let name = syntax::text(n, source);
            if n.kind().contains("identifier") && is_common(name) {
                self.named.insert(name.to_owned());
            }
        });
    }

    /// Whether a claim is about something of the project's by a common name.
    pub(super) fn has(&self, language: Language, claim: &Claim) -> bool {
        let expected = match &claim.1 {
            Force::Equal { expected } => expected.as_slice(),
            _ => &[],
        };
        [claim.0.as_slice(), expected].into_iter().any(|tokens| self.names(language, tokens))
    }

    fn names(&self, language: Language, tokens: &[Token]) -> bool {
        let built_in: &[&str] = match language {
            Language::Python => &OF_PYTHON,
            Language::Script(_) => &OF_SCRIPT,
            Language::Rust => &OF_RUST,
            Language::Go => &OF_GO,
            Language::Java => &[],
        };
        (0..tokens.len()).any(|n| {
            let token = &tokens[n];
            let member = n > 0 && [".", "::", ":"].iter().any(|mark| tokens[n - 1].is(mark));
            if token.kind != Kind::Name || !is_common(&token.text) || member {
                return false;
            }
            let called = tokens.get(n + 1).is_some_and(|next| next.is("("));
            let built_in = built_in.contains(&token.text.as_str());
            self.named.contains(&token.text) || called && (!built_in || self.all)
        })
    }
}
