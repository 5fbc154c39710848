//! All that a change names, whatever it does with it: literals, the names of fields and members, of keys that are given
//! by name. One such value may be there by chance; several inputs of one test that stand together are not.

use super::Decision;
use super::arms::works_with_more;
use super::construct::{Construct, construct};
use super::next::{list_value, value};
use proctor_lang::literal::is_trivial;
use proctor_lang::syntax;
use std::collections::{BTreeMap, BTreeSet};
use tree_sitter::Node;

/// What stands together on these lines.
pub(super) fn mentioned(root: Node<'_>, source: &str, lines: &BTreeSet<u32>) -> Vec<Decision> {
    let mut found: BTreeMap<Construct, BTreeSet<String>> = BTreeMap::new();
    syntax::walk(root, &|n| !is_type(n), &mut |n| {
        if !lines.contains(&syntax::line(n)) || is_doc(n) {
            return;
        }
        let named = value(n, source).or_else(|| list_value(n, source)).or_else(|| name(n, source));
        if let Some(named) = named.filter(|v| !is_trivial(v)) {
            let above = syntax::above(root, n);
            if !works_with_more(n, &above, source) {
                found.entry(construct(n, &above, source)).or_default().insert(named);
            }
        }
    });
    let decision = |named: BTreeSet<String>| Decision { all: named.clone(), named };
    found.into_values().filter(|named| named.len() > 1).map(decision).collect()
}

/// What is gone when the program runs: TypeScript's types.
fn is_type(node: Node<'_>) -> bool {
    matches!(node.kind(), "type_alias_declaration" | "interface_declaration" | "type_annotation")
}

/// A text that only people read.
fn is_doc(node: Node<'_>) -> bool {
    node.parent().is_some_and(|p| p.kind() == "expression_statement")
}

/// The name of a field, a member, or a key, as a text.
fn name(node: Node<'_>, source: &str) -> Option<String> {
    let parent = node.parent()?;
    let of = |field| parent.child_by_field_name(field) == Some(node);
    let is_name = match parent.kind() {
        // `class Known(Enum): RED = 1`
        "assignment" => of("left") && node.kind() == "identifier" && in_class(parent),
        "keyword_argument" => of("name"),
        "public_field_definition" | "field_definition" => of("name") || of("property"),
        "pair" => of("key"),
        _ => false,
    };
    let is_word = node.kind().contains("identifier");
    (is_name && is_word).then(|| format!("\"{}\"", syntax::text(node, source)))
}

fn in_class(assignment: Node<'_>) -> bool {
    let body = assignment.parent().and_then(|statement| statement.parent());
    body.and_then(|body| body.parent()).is_some_and(|class| class.kind() == "class_definition")
}
