//! Mappings that a test gives: the same with their keys in another order, and the keys that stand there without quotes.

use super::Making;
use super::literals::{Literal, Value};
use crate::observe::put;
use proctor_core::observation::Sort;
use proctor_lang::edit::Edit;
use proctor_lang::syntax::{children, text};
use std::ops::Range;
use tree_sitter::Node;

/// The entries of a mapping that has several, and nothing else.
pub(super) fn entries(node: Node<'_>) -> Option<Vec<Range<usize>>> {
    let all = children(node);
    let fits = matches!(node.kind(), "dictionary" | "object") && all.len() > 1;
    let is_entry = |n: &Node<'_>| matches!(n.kind(), "pair" | "shorthand_property_identifier");
    let plain = fits && all.iter().all(is_entry);
    plain.then(|| all.iter().map(Node::byte_range).collect())
}

/// A key without quotes. One of a function is no data: somebody calls it by that name.
pub(super) fn key(node: Node<'_>, source: &str, expected: bool) -> Option<Literal> {
    let pair =
        node.parent().filter(|n| n.kind() == "pair" && node.kind() == "property_identifier")?;
    let function = ["arrow_function", "function_expression", "generator_function"];
    let value = pair.child_by_field_name("value");
    if value.is_some_and(|value| function.contains(&value.kind())) {
        return None;
    }
    let value = Value::String(text(node, source).to_owned());
    let (range, line) = (node.byte_range(), node.start_position().row);
    Some(Literal { range, value, expected, line, around: (String::new(), String::new()) })
}

impl Literal {
    /// Whether it stands there without quotes.
    pub(super) fn is_bare(&self) -> bool {
        self.string().is_some() && self.around.0.is_empty()
    }
}

impl Making<'_> {
    /// All mappings at once, each from its end.
    pub(super) fn orders(&mut self, source: &str) {
        let mut edits: Vec<Edit> = Vec::new();
        for entries in &self.found.mappings {
            // Of one inside of another the outer one is enough.
            let first = entries.first().map_or(0, |e| e.start);
            if edits.iter().any(|e| e.from <= first && first < e.to) {
                continue;
            }
            let turned = entries.iter().zip(entries.iter().rev());
            let text = |from: &Range<usize>| source.get(from.clone()).unwrap_or_default();
            edits.extend(turned.map(|(to, from)| put(to.start, to.end, text(from))));
        }
        edits.retain(|e| source.get(e.from..e.to) != Some(e.text.as_str()));
        self.push(0, (Sort::Order, "", "keys in another order"), edits);
    }
}
