//! What belongs together: the rows of one table, the arms of one choice, the questions that one block asks of one value.

use proctor_lang::syntax;
use tree_sitter::Node;

/// Where a construct begins, and of which value it asks.
pub(super) type Construct = (usize, String);

const TABLES: [&str; 10] = [
    "dictionary",
    "object",
    "composite_literal",
    "list",
    "tuple",
    "array",
    "array_expression",
    "array_initializer",
    "set",
    "tuple_expression",
];
const CHOICES: [&str; 6] = [
    "match_statement",
    "match_expression",
    "switch_statement",
    "switch_expression",
    "expression_switch_statement",
    "macro_invocation",
];
const BLOCKS: [&str; 7] = [
    "block",
    "module",
    "statement_block",
    "program",
    "source_file",
    "class_body",
    "declaration_list",
];
const HOLDS: [&str; 5] =
    ["pair", "keyed_element", "literal_element", "literal_value", "parenthesized_expression"];

/// The construct to which a literal belongs, by all that it is in.
pub(super) fn construct(literal: Node<'_>, above: &[Node<'_>], source: &str) -> Construct {
    let mut table = None;
    let mut subject = None;
    for parent in above.iter().copied() {
        let kind = parent.kind();
        if TABLES.contains(&kind) {
            table = Some(parent.start_byte());
        } else if HOLDS.contains(&kind) {
        } else if let Some(start) = table {
            return (start, String::new());
        } else if CHOICES.contains(&kind) && subject.is_none() {
            return (parent.start_byte(), String::new());
        } else if BLOCKS.contains(&kind) {
            return (parent.start_byte(), subject.unwrap_or_default());
        } else if matches!(
            kind,
            "comparison_operator" | "binary_expression" | "call" | "call_expression"
        ) && subject.is_none()
        {
            subject = asked_of(parent, literal, source);
        }
    }
    (table.unwrap_or_default(), subject.unwrap_or_default())
}

/// The value of which a comparison or a call asks: what stands beside the literal.
fn asked_of(asking: Node<'_>, literal: Node<'_>, source: &str) -> Option<String> {
    let function = asking.child_by_field_name("function");
    let receiver = function.and_then(|f| {
        ["object", "value", "operand"].iter().find_map(|field| f.child_by_field_name(field))
    });
    let beside = syntax::children(asking)
        .into_iter()
        .find(|n| n.end_byte() <= literal.start_byte() || literal.end_byte() <= n.start_byte());
    let found = if function.is_some() { receiver } else { beside };
    found.map(|n| syntax::text(n, source).to_owned())
}
