//! Mutants of operators: comparisons, logic, arithmetic, negation, ranges. Never looks at whole statements, apart
//! from assignments with an operator.

use super::candidate::{Candidate, Rank};
use super::scope::{Place, Scope};
use super::walk::Walk;
use proctor_lang::Language;
use proctor_lang::Words;
use proctor_lang::literal::{self, Kind};
use proctor_lang::syntax;
use tree_sitter::Node;

const COMPARISONS: Words = Words("< <= > >= == != === !==");

/// What is joined and not added.
const JOINED: Words = Words(
    "concatenated_string list list_comprehension tuple array array_expression reference_expression macro_invocation",
);

/// What an operator becomes, the most telling first.
fn swaps(operator: &str) -> &'static [(&'static str, Rank)] {
    use Rank::{Arithmetic, Boundary, Logic};
    match operator {
        "<" => &[(">=", Logic), ("<=", Boundary)],
        "<=" => &[(">", Logic), ("<", Boundary)],
        ">" => &[("<=", Logic), (">=", Boundary)],
        ">=" => &[("<", Logic), (">", Boundary)],
        "==" => &[("!=", Logic)],
        "!=" | "<>" => &[("==", Logic)],
        "===" => &[("!==", Logic)],
        "!==" => &[("===", Logic)],
        "is" => &[("is not", Logic)],
        "is not" => &[("is", Logic)],
        "in" => &[("not in", Logic)],
        "not in" => &[("in", Logic)],
        "and" => &[("or", Logic)],
        "or" => &[("and", Logic)],
        "&&" => &[("||", Logic)],
        "||" | "??" => &[("&&", Logic)],
        "+" => &[("-", Arithmetic)],
        "-" => &[("+", Arithmetic)],
        "*" => &[("/", Arithmetic)],
        "/" | "//" | "%" | "**" => &[("*", Arithmetic)],
        "&" => &[("|", Arithmetic)],
        "|" | "^" | "&^" => &[("&", Arithmetic)],
        "<<" => &[(">>", Arithmetic)],
        ">>" | ">>>" => &[("<<", Arithmetic)],
        _ => &[],
    }
}

pub(super) fn find(walk: &mut Walk<'_>, node: Node<'_>, scope: Scope<'_>) {
    match node.kind() {
        "binary_expression" | "binary_operator" | "boolean_operator" => binary(walk, node, scope),
        "comparison_operator" => chain(walk, node, scope),
        "not_operator" | "unary_expression" | "unary_operator" => unary(walk, node, scope),
        "range_expression" => range(walk, node),
        _ => {}
    }
}

fn binary(walk: &mut Walk<'_>, node: Node<'_>, scope: Scope<'_>) {
    let Some(operator) = node.child_by_field_name("operator") else { return };
    // `x in y` of a script is a question about keys; its negation needs brackets around all of it.
    let text = syntax::text(operator, walk.source);
    if text == "in" || (is_arithmetic(text) && !computes(walk, node, text)) {
        return;
    }
    swap(walk, operator, scope);
}

fn chain(walk: &mut Walk<'_>, node: Node<'_>, scope: Scope<'_>) {
    let mut cursor = node.walk();
    let operators: Vec<_> = node.children_by_field_name("operators", &mut cursor).collect();
    for operator in operators {
        swap(walk, operator, scope);
    }
}

fn swap(walk: &mut Walk<'_>, operator: Node<'_>, scope: Scope<'_>) {
    let text = syntax::folded(syntax::text(operator, walk.source));
    for (other, rank) in swaps(&text) {
        let kept = match scope.place {
            Place::Plain => true,
            Place::While => false,
            Place::Counted => matches!(rank, Rank::Boundary | Rank::Arithmetic),
            Place::Settled => *rank != Rank::Boundary,
        };
        if kept {
            let what = format!("`{text}` becomes `{other}`");
            walk.add(Candidate::of(*rank, operator, (*other).to_owned(), what));
        }
    }
}

fn is_arithmetic(operator: &str) -> bool {
    swaps(operator).first().is_some_and(|(_, rank)| *rank == Rank::Arithmetic)
}

/// Whether an operator works on numbers as far as can be seen: texts and lists have no `-`, and `x * 1` is `x / 1`.
fn computes(walk: &Walk<'_>, node: Node<'_>, operator: &str) -> bool {
    let left = node.child_by_field_name("left");
    let right = node.child_by_field_name("right");
    let (Some(left), Some(right)) = (left, right) else { return false };
    if is_text(left, walk.source, 0) || is_text(right, walk.source, 0) {
        return false;
    }
    let neutral = |n: Node<'_>, value: &str| syntax::text(n, walk.source) == value;
    let same = match operator {
        "*" | "**" => neutral(right, "1"),
        "/" | "//" => neutral(right, "1") || neutral(left, "0"),
        "+" | "-" | "<<" | ">>" => neutral(right, "0"),
        _ => false,
    };
    let joins_types = operator == "|" && walk.language == Language::Python;
    !(same || joins_types && is_type(walk, left, right))
}

/// `int | None` outside of an annotation.
fn is_type(walk: &Walk<'_>, left: Node<'_>, right: Node<'_>) -> bool {
    let names = ["int", "str", "float", "bool", "bytes", "list", "dict", "set", "tuple", "None"];
    [left, right].iter().any(|n| names.contains(&syntax::text(*n, walk.source)))
}

/// A text, a list or something joined out of them.
fn is_text(node: Node<'_>, source: &str, depth: u8) -> bool {
    match node.kind() {
        _ if literal::kind(node) == Some(Kind::Text) => true,
        kind if JOINED.has(kind) => true,
        "parenthesized_expression" if depth < 8 => {
            node.named_child(0).is_some_and(|n| is_text(n, source, depth + 1))
        }
        "call" | "call_expression" => {
            let callee = syntax::field(node, "function", source);
            let name = callee.rsplit(['.', ':']).next().unwrap_or("");
            callee == "String::from"
                || ["str", "repr", "list", "to_string", "to_owned", "join", "format", "String"]
                    .contains(&name)
        }
        "binary_expression" | "binary_operator" if depth < 8 => ["left", "right"]
            .iter()
            .filter_map(|side| node.child_by_field_name(side))
            .any(|n| is_text(n, source, depth + 1)),
        _ => false,
    }
}

fn unary(walk: &mut Walk<'_>, node: Node<'_>, scope: Scope<'_>) {
    let Some(operator) = node.child(0) else { return };
    let sign = syntax::text(operator, walk.source);
    let rank = match sign {
        "not" | "!" => Rank::Logic,
        "-" => Rank::Arithmetic,
        _ => return,
    };
    let argument = node.named_child(0);
    let zero = argument.is_some_and(|n| ["0", "0.0"].contains(&syntax::text(n, walk.source)));
    if scope.place == Place::While || zero {
        return;
    }
    if let Some(rest) = argument {
        let text = syntax::text(rest, walk.source).to_owned();
        walk.add(Candidate::of(rank, node, text, format!("`{sign}` is left out")));
    }
}

/// Rust's `a..b` and `a..=b`.
fn range(walk: &mut Walk<'_>, node: Node<'_>) {
    let mut cursor = node.walk();
    let all: Vec<_> = node.children(&mut cursor).collect();
    let Some(at) = all.iter().position(|n| matches!(n.kind(), ".." | "..=")) else { return };
    let (Some(operator), Some(_)) = (all.get(at), all.get(at + 1)) else { return };
    let other = if operator.kind() == ".." { "..=" } else { ".." };
    walk.add(Candidate::becomes(Rank::Boundary, *operator, walk.source, other.to_owned()));
}

/// Whether a node is a comparison: its operators say all there is to say about it.
pub(super) fn is_comparison(node: Node<'_>, source: &str) -> bool {
    match node.kind() {
        "comparison_operator" => true,
        "binary_expression" => COMPARISONS.has(syntax::field(node, "operator", source)),
        "parenthesized_expression" => {
            node.named_child_count() == 1
                && node.named_child(0).is_some_and(|n| is_comparison(n, source))
        }
        _ => false,
    }
}

/// `x += y`. On texts and lists only leaving out what was there makes sense.
pub(super) fn augmented(walk: &mut Walk<'_>, node: Node<'_>) {
    let (Some(operator), Some(right)) =
        (node.child_by_field_name("operator"), node.child_by_field_name("right"))
    else {
        return;
    };
    let Some(sign) = syntax::text(operator, walk.source).strip_suffix('=') else { return };
    let value = if right.kind() == "expression_list" { right.named_child(0) } else { Some(right) };
    if value.is_some_and(|n| is_text(n, walk.source, 0)) {
        if sign == "+" && walk.language != Language::Rust {
            walk.add(Candidate::becomes(Rank::Arithmetic, operator, walk.source, "=".to_owned()));
        }
        return;
    }
    let neutral = value.is_some_and(|n| syntax::text(n, walk.source) == "0");
    if let (Some((other, _)), false) = (swaps(sign).first(), neutral) {
        walk.add(Candidate::becomes(Rank::Arithmetic, operator, walk.source, format!("{other}=")));
    }
}
