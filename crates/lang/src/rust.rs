//! What Rust sources say: tests and their shapes, modules, which of it is for tests.

pub mod items;
pub mod modules;
mod shape;
pub mod split;
pub(crate) mod switch;

use crate::syntax::{children, is_comment};
use tree_sitter::Node;

/// The first word of an attribute.
pub fn attribute_name(attribute: &str) -> &str {
    let inner = attribute.trim_start_matches("#[").trim_start();
    inner.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("")
}

/// What stands in a block, each item with the attributes above it. Comments are left out.
pub fn attributed(block: Node<'_>) -> Vec<(Node<'_>, Vec<Node<'_>>)> {
    let (mut found, mut lead) = (Vec::new(), Vec::new());
    for node in children(block).into_iter().filter(|n| !is_comment(*n)) {
        match node.kind() {
            "attribute_item" => lead.push(node),
            _ => found.push((node, std::mem::take(&mut lead))),
        }
    }
    found
}
