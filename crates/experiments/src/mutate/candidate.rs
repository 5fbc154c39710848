//! One possible mutant and how much it matters. Decides nothing about which ones are taken.

use proctor_lang::edit::Edit;
use proctor_lang::syntax;
use tree_sitter::Node;

/// How much a mutant matters, the most telling first: what any test of the line should notice, down to what only a
/// test of the very value would.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// A whole body is gone.
    Extreme,
    /// A condition is turned round.
    Logic,
    Arithmetic,
    Returned,
    /// `<` and `<=`.
    Boundary,
    /// One function in place of its opposite.
    Opposite,
    /// A statement is left out.
    Statement,
    Truth,
    Number,
    Text,
    /// `break` and `continue`.
    Flow,
}

#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) rank: Rank,
    pub(super) edit: Edit,
}

impl Candidate {
    /// A node replaced.
    pub(super) fn of(rank: Rank, node: Node<'_>, text: String, what: String) -> Self {
        let edit = Edit {
            line: syntax::line(node),
            from: node.start_byte(),
            to: node.end_byte(),
            text,
            what,
        };
        Self { rank, edit }
    }

    /// A node replaced, told as "`old` becomes `new`".
    pub(super) fn becomes(rank: Rank, node: Node<'_>, source: &str, text: String) -> Self {
        let what =
            format!("`{}` becomes `{}`", short(syntax::text(node, source)), short(text.trim()));
        Self::of(rank, node, text, what)
    }
}

/// A text on one line that people can take in at a glance.
pub(super) fn short(text: &str) -> String {
    const LONGEST: usize = 32;
    let text = syntax::folded(text);
    if text.chars().count() <= LONGEST {
        return text;
    }
    let head: String = text.chars().take(LONGEST - 1).collect();
    format!("{head}…")
}
