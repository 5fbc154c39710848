//! Arms that work with something else than what was asked about: a case of a reducer, a command with its arguments. Their
//! literal chooses what is done, and is no input that an answer stands for.

use super::deaf::{FUNCTIONS, parameters, uses};
use crate::syntax;
use std::collections::BTreeSet;
use tree_sitter::Node;

/// Where one of several ways is taken.
const ARMS: [&str; 7] = [
    "switch_case",
    "case_clause",
    "if_statement",
    "elif_clause",
    "match_arm",
    "expression_case",
    "ternary_expression",
];
/// What holds the arms of a choice and what is asked about.
const CHOICES: [&str; 5] = [
    "switch_statement",
    "match_statement",
    "match_expression",
    "expression_switch_statement",
    "switch_expression",
];

/// Whether the arm that this literal chooses uses what its function is given besides the value that is asked about.
pub(super) fn works_with_more(literal: Node<'_>, source: &str) -> bool {
    let Some((arm, condition)) = arm(literal) else {
        return false;
    };
    let mut asked = names(condition, source);
    let mut others = BTreeSet::new();
    let mut at = arm.parent();
    while let Some(above) = at {
        if CHOICES.contains(&above.kind()) {
            for field in ["value", "subject"] {
                asked.extend(
                    above.child_by_field_name(field).map(|n| names(n, source)).unwrap_or_default(),
                );
            }
        }
        if FUNCTIONS.contains(&above.kind()) {
            others = parameters(above, source);
            others.extend(["self".to_owned(), "this".to_owned()]);
            break;
        }
        at = above.parent();
    }
    others.retain(|name| !asked.contains(name));
    let body = |n: &Node<'_>| n.start_byte() >= condition.end_byte() && n.kind() != "else_clause";
    let parts = syntax::children(arm).into_iter().filter(body);
    parts.filter(|n| n.kind() != "elif_clause").any(|part| uses(part, source, &others))
}

/// The nearest arm, and what of it holds the literal.
fn arm(literal: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    let mut at = literal;
    loop {
        let parent = at.parent()?;
        if ARMS.contains(&parent.kind()) {
            return Some((parent, at));
        }
        // Beyond a statement, or within a table, it chooses nothing.
        if parent.kind().contains("block") || matches!(parent.kind(), "dictionary" | "object") {
            return None;
        }
        at = parent;
    }
}

fn names(node: Node<'_>, source: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    syntax::walk(node, &|_| true, &mut |n| {
        if matches!(n.kind(), "identifier" | "this" | "self") {
            found.insert(syntax::text(n, source).to_owned());
        }
    });
    found
}
