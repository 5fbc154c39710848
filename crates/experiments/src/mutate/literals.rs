//! Mutants of literals: true and false, whole numbers, texts. Knows nothing of where they stand.

use super::candidate::{Candidate, Rank};
use super::scope::{Place, Scope};
use super::walk::Walk;
use proctor_lang::Language;
use proctor_lang::Words;
use proctor_lang::literal::{self, Kind};
use proctor_lang::syntax;
use tree_sitter::Node;

pub(super) fn find(walk: &mut Walk<'_>, node: Node<'_>, scope: Scope<'_>) {
    match node.kind() {
        "true" | "false" | "boolean_literal" if scope.literals.truths() => truth(walk, node),
        "integer" | "integer_literal" | "int_literal" | "number"
            if scope.literals.numbers()
                && (scope.place == Place::Settled || !is_boundary(node, walk.source)) =>
        {
            number(walk, node);
        }
        "float_literal" if scope.literals.numbers() => float(walk, node),
        "concatenated_string" if scope.literals.text() => text(walk, node),
        _ if literal::kind(node) == Some(Kind::Text) && scope.literals.text() => text(walk, node),
        _ => {}
    }
}

/// Whether a node says its whole value itself.
pub(super) fn is_literal(node: Node<'_>) -> bool {
    Words("true false boolean_literal integer integer_literal int_literal number string concatenated_string \
            string_literal raw_string_literal interpreted_string_literal none nil null undefined ellipsis").has(node.kind())
}

fn truth(walk: &mut Walk<'_>, node: Node<'_>) {
    let other = match syntax::text(node, walk.source) {
        "true" => "false",
        "false" => "true",
        "True" => "False",
        "False" => "True",
        _ => return,
    };
    walk.add(Candidate::becomes(Rank::Truth, node, walk.source, other.to_owned()));
}

/// Whether the next number says what the comparison's other boundary says already: `n <= 3` is `n < 4`.
fn is_boundary(node: Node<'_>, source: &str) -> bool {
    let Some(parent) = node.parent() else { return false };
    let operator = match parent.kind() {
        "binary_expression" => syntax::field(parent, "operator", source),
        "comparison_operator" if parent.named_child_count() == 2 => {
            syntax::field(parent, "operators", source)
        }
        _ => return false,
    };
    if parent.named_child(0) == Some(node) {
        matches!(operator, ">" | "<=")
    } else {
        matches!(operator, "<" | ">=")
    }
}

/// Decimal numbers alone: masks and magic numbers in other bases have no next one.
fn number(walk: &mut Walk<'_>, node: Node<'_>) {
    // The last number of its type has no next one, and a big one is a size that few would tell from the next.
    const BIG: u64 = 1024;
    const LAST: [u64; 2] = [127, 255];
    let written = syntax::text(node, walk.source);
    let digits = written.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(written.len());
    let (number, suffix) = written.split_at(digits);
    let typed = walk.language == Language::Rust && suffix.starts_with(['i', 'u']);
    let plain: String = number.chars().filter(|c| *c != '_').collect();
    if !(suffix.is_empty() || typed || suffix == "n") || (plain.len() > 1 && plain.starts_with('0'))
    {
        return;
    }
    if let Ok(value) = plain.parse::<u64>()
        && !LAST.contains(&value)
        && value < BIG
    {
        let text = format!("{}{suffix}", value + 1);
        walk.add(Candidate::becomes(Rank::Number, node, walk.source, text));
    }
}

/// A number with a point. One with an exponent is a tolerance more often than a value, and so is what a comparison has.
fn float(walk: &mut Walk<'_>, node: Node<'_>) {
    let compared = node.parent().is_some_and(|parent| {
        let operator = syntax::field(parent, "operator", walk.source);
        matches!(operator, "<" | "<=" | ">" | ">=")
    });
    let written = syntax::text(node, walk.source);
    let Some((whole, rest)) = written.split_once('.').filter(|_| !compared) else { return };
    if rest.contains(['e', 'E']) {
        return;
    }
    if let Ok(value) = whole.parse::<u32>() {
        let text = format!("{}.{rest}", u64::from(value) + 1);
        walk.add(Candidate::becomes(Rank::Number, node, walk.source, text));
    }
}

/// A text that is not empty becomes another one, in the same quotes: it may stand in a text of other quotes.
fn text(walk: &mut Walk<'_>, node: Node<'_>) {
    let written = syntax::text(node, walk.source);
    let Some(at) = written.find(['"', '\'', '`']) else { return };
    let (prefix, quoted) = written.split_at(at);
    let inside = quoted.trim_matches(['"', '\'', '`', '#']);
    // A byte text of another length may be of another type.
    if inside.is_empty() || (walk.language == Language::Rust && prefix.contains(['b', 'c'])) {
        return;
    }
    let bytes = if prefix.contains(['b', 'B']) { "b" } else { "" };
    let quote = match quoted.chars().next() {
        Some('\'') if walk.language != Language::Go => '\'',
        _ => '"',
    };
    let word = if inside == "mutated" { "other" } else { "mutated" };
    let text = format!("{bytes}{quote}{word}{quote}");
    walk.add(Candidate::becomes(Rank::Text, node, walk.source, text));
}
