//! The edits of one test while they are found, the best first. Knows no language.

use super::change::{self, Reach};
use proctor_lang::Language;
use proctor_lang::edit::Edit;
use proctor_lang::syntax;
use std::ops::Range;
use tree_sitter::Node;

/// What an edit shows when its test fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// Another expected value: the comparison itself is honest.
    Value,
    /// The other way round: the assertion is reached and counts.
    Turned,
    /// Only that something went well before the real assertion.
    Guard,
}

pub(super) struct Twins<'s> {
    pub(super) source: &'s str,
    language: Language,
    found: Vec<(Rank, Edit)>,
}

impl<'s> Twins<'s> {
    pub(super) fn new(source: &'s str, language: Language) -> Self {
        Self { source, language, found: Vec::new() }
    }

    pub(super) fn text(&self, node: Node<'_>) -> &'s str {
        syntax::text(node, self.source)
    }

    pub(super) fn field(&self, node: Node<'_>, name: &str) -> &'s str {
        syntax::field(node, name, self.source)
    }

    pub(super) fn push(&mut self, rank: Rank, range: Range<usize>, text: String, what: String) {
        let before = self.source.get(..range.start).unwrap_or_default();
        let line = u32::try_from(before.matches('\n').count() + 1).unwrap_or(u32::MAX);
        let edit = Edit { line, from: range.start, to: range.end, text, what };
        // A literal may stand for several assertions, such as one of a table.
        let known = |(_, old): &(Rank, Edit)| old.from == edit.from && old.to == edit.to;
        if !self.found.iter().any(known) {
            self.found.push((rank, edit));
        }
    }

    /// One text for another.
    pub(super) fn replace(&mut self, rank: Rank, range: Range<usize>, text: &str) {
        let old = shown(self.source.get(range.clone()).unwrap_or_default());
        let what = match (old.is_empty(), text.is_empty()) {
            (true, _) => format!("`{}` is put in", text.trim()),
            (_, true) => format!("`{old}` is taken out"),
            _ => format!("`{old}` becomes `{}`", shown(text)),
        };
        self.push(rank, range, text.to_owned(), what);
    }

    /// Another value for an expected expression. False where it has none.
    pub(super) fn value(&mut self, node: Node<'_>, reach: Reach) -> bool {
        let mut parts = change::changes(node, self.source, self.language, reach);
        parts.sort_by_key(|(range, _)| range.start);
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else {
            return false;
        };
        let range = first.0.start..last.0.end;
        let new = change::rewritten(self.source, range.clone(), &parts);
        self.replace(Rank::Value, range, &new);
        true
    }

    /// Whether an expression has a value that can be changed.
    pub(super) fn has_value(&self, node: Node<'_>) -> bool {
        !change::changes(node, self.source, self.language, Reach::Next).is_empty()
    }

    /// A string literal that nothing honest holds.
    pub(super) fn marked(&mut self, node: Node<'_>) -> bool {
        let text = self.text(node);
        match change::marked(text) {
            Some(new)
                if proctor_lang::literal::kind(node) == Some(proctor_lang::literal::Kind::Text) =>
            {
                self.replace(Rank::Value, node.byte_range(), &new);
                true
            }
            _ => false,
        }
    }

    /// A value that a comparison takes of any kind: a list in its place, with it and something else.
    pub(super) fn wrapped(&mut self, node: Node<'_>) {
        let old = self.text(node);
        let what = format!("`{}` becomes a list with something else", shown(old));
        self.push(Rank::Value, node.byte_range(), format!("[{old}, \"another\"]"), what);
    }

    /// A condition, negated by these words around it.
    pub(super) fn negated(&mut self, node: Node<'_>, open: &str, close: &str) {
        let old = self.text(node);
        let what = format!("`{}` must not hold", shown(old));
        self.push(Rank::Turned, node.byte_range(), format!("{open}{old}{close}"), what);
    }

    pub(super) fn done(mut self) -> Vec<Edit> {
        self.found.sort_by_key(|(rank, edit)| (*rank, edit.from));
        self.found.into_iter().map(|(_, edit)| edit).collect()
    }
}

/// Whether a test may go on with what follows a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    Goes,
    /// It may have ended, and passed.
    MayEnd,
}

fn shown(text: &str) -> String {
    let folded = syntax::folded(text);
    match folded.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", &folded[..at]),
        None => folded,
    }
}
