//! Arms that work with something else than what was asked about: a case of a reducer, a command with its arguments. Their
//! literal chooses what is done, and is no input that an answer stands for.

use super::deaf::{FUNCTIONS, parameters, uses};
use proctor_lang::syntax;
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
pub(super) fn works_with_more(literal: Node<'_>, above: &[Node<'_>], source: &str) -> bool {
    let Some((arm, condition, above)) = arm(literal, above) else {
        return false;
    };
    let mut asked = names(condition, source);
    let mut others = BTreeSet::new();
    for above in above.iter().copied() {
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
    }
    others.retain(|name| !asked.contains(name));
    let body = |n: &Node<'_>| n.start_byte() >= condition.end_byte() && n.kind() != "else_clause";
    let parts = syntax::children(arm).into_iter().filter(body);
    parts.filter(|n| n.kind() != "elif_clause").any(|part| uses(part, source, &others))
}

/// The nearest arm, what of it holds the literal, and what the arm is in.
fn arm<'t, 'a>(
    literal: Node<'t>,
    above: &'a [Node<'t>],
) -> Option<(Node<'t>, Node<'t>, &'a [Node<'t>])> {
    let mut at = literal;
    for (n, parent) in above.iter().copied().enumerate() {
        if ARMS.contains(&parent.kind()) {
            return Some((parent, at, &above[n + 1..]));
        }
        // Beyond a statement, or within a table, it chooses nothing.
        if parent.kind().contains("block") || matches!(parent.kind(), "dictionary" | "object") {
            return None;
        }
        at = parent;
    }
    None
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
