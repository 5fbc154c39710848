//! Mutants of statements: conditions turned round, loops that never run, calls and assignments left out, `break` and
//! `continue`, a function in place of its opposite. Takes care that loops still end.

use super::candidate::{Candidate, Rank};
use super::never::is_log;
use super::operators::{self, is_comparison};
use super::returns;
use super::scope::{Level, Place, Scope, Turn};
use super::walk::Walk;
use super::words;
use proctor_lang::Language;
use proctor_lang::Words;
use proctor_lang::syntax;
use tree_sitter::Node;

pub(super) fn find(walk: &mut Walk<'_>, node: Node<'_>, scope: Scope<'_>) {
    match node.kind() {
        "if_statement" | "elif_clause" | "if_expression" | "ternary_expression"
        | "match_pattern" => turned(walk, node.child_by_field_name("condition")),
        "conditional_expression" => turned(walk, node.named_child(1)),
        "if_clause" => turned(walk, node.named_child(0)),
        "while_statement" | "while_expression" | "for_clause" | "for_statement" => {
            never_runs(walk, node);
        }
        "return_statement" | "return_expression" => {
            if let Some(value) = node.named_child(0) {
                returns::find(walk, node, value, scope);
            }
        }
        "augmented_assignment" | "augmented_assignment_expression" | "compound_assignment_expr" => {
            operators::augmented(walk, node);
        }
        "assignment_statement" if syntax::field(node, "operator", walk.source) != "=" => {
            operators::augmented(walk, node);
        }
        "inc_statement" | "dec_statement" | "update_expression" => counted(walk, node),
        "assignment_statement" | "expression_statement" => left_out(walk, node, scope),
        "break_statement" | "break_expression" => breaks(walk, node, scope),
        "continue_statement" | "continue_expression" if scope.turn != Turn::None => {
            flow(walk, node, "continue", "break");
        }
        "call" | "call_expression" => opposite(walk, node, scope),
        _ => {}
    }
}

/// Python: another exception than the one that is meant. A test that takes any exception does not notice.
pub(super) fn raised(walk: &mut Walk<'_>, node: Node<'_>) {
    let raises = walk.language == Language::Python && node.kind() == "raise_statement";
    if let Some(value) = node.named_child(0).filter(|_| raises) {
        let what = "another exception is raised".to_owned();
        walk.add(Candidate::of(Rank::Opposite, value, "BufferError()".to_owned(), what));
    }
}

fn inside(node: Node<'_>) -> Node<'_> {
    let mut node = node;
    while node.kind() == "parenthesized_expression" && node.named_child_count() == 1 {
        match node.named_child(0) {
            Some(inner) => node = inner,
            None => break,
        }
    }
    node
}

/// A condition turned round. Comparisons and negations are turned round at their operator.
fn turned(walk: &mut Walk<'_>, condition: Option<Node<'_>>) {
    let Some(condition) = condition.map(inside) else { return };
    let plain = match condition.kind() {
        "not_operator" | "let_condition" | "let_chain" | "true" | "false" | "boolean_literal" => {
            false
        }
        "unary_expression" => !syntax::text(condition, walk.source).starts_with('!'),
        "binary_expression" => syntax::field(condition, "operator", walk.source) != "instanceof",
        _ => true,
    };
    if plain && !is_comparison(condition, walk.source) {
        let text = words::negated(walk.language, syntax::text(condition, walk.source));
        let what = "the condition is turned round".to_owned();
        walk.add(Candidate::of(Rank::Logic, condition, text, what));
    }
}

/// The condition of a loop; turned round it could run for ever, so it never holds instead.
fn never_runs(walk: &mut Walk<'_>, node: Node<'_>) {
    let condition = match walk.language {
        Language::Go if node.kind() == "for_statement" => node
            .named_child(0)
            .filter(|n| !matches!(n.kind(), "block" | "for_clause" | "range_clause")),
        _ => node.child_by_field_name("condition"),
    };
    let Some(condition) = condition.map(inside) else { return };
    let fixed =
        ["let_condition", "let_chain", "true", "false", "boolean_literal", "empty_statement"];
    if condition.is_named()
        && !fixed.contains(&condition.kind())
        && syntax::text(condition, walk.source) != "1"
    {
        let text = words::never(walk.language, syntax::text(condition, walk.source));
        walk.add(Candidate::of(Rank::Logic, condition, text, "the loop never runs".to_owned()));
    }
}

/// `x++` and `x--`.
fn counted(walk: &mut Walk<'_>, node: Node<'_>) {
    let mut cursor = node.walk();
    let Some(operator) = node.children(&mut cursor).find(|n| matches!(n.kind(), "++" | "--"))
    else {
        return;
    };
    let other = if operator.kind() == "++" { "--" } else { "++" };
    walk.add(Candidate::becomes(Rank::Arithmetic, operator, walk.source, other.to_owned()));
}

/// A call or an assignment to a part of something, as a statement.
fn left_out(walk: &mut Walk<'_>, node: Node<'_>, scope: Scope<'_>) {
    // Anything may be what ends a loop without a condition.
    if scope.level == Level::Module || scope.endless {
        return;
    }
    let what = if node.kind() == "assignment_statement" {
        assigned(walk, node)
    } else {
        node.named_child(0).and_then(|inner| match inner.kind() {
            "assignment" | "assignment_expression" => assigned(walk, inner),
            _ => called(walk, inner),
        })
    };
    let whole = syntax::text(node, walk.source);
    // A last expression without `;` is a value.
    let value = walk.language == Language::Rust && !whole.ends_with(';');
    if let (Some(what), false) = (what, value) {
        let text = words::without(walk.language, whole);
        walk.add(Candidate::of(Rank::Statement, node, text, what.to_owned()));
    }
}

fn assigned(walk: &Walk<'_>, node: Node<'_>) -> Option<&'static str> {
    let left = node.child_by_field_name("left")?;
    let left = if left.kind() == "expression_list" { left.named_child(0)? } else { left };
    let part = Words("attribute subscript field_expression index_expression selector_expression member_expression \
            subscript_expression").has(left.kind());
    let name = syntax::text(left, walk.source);
    let exported = name.starts_with("module.") || name.starts_with("exports.");
    // `a.b: int` and `a = b = c` are something else.
    let right = node.child_by_field_name("right")?;
    let plain = !matches!(right.kind(), "assignment" | "assignment_expression" | "yield");
    (part && plain && !exported).then_some("the assignment is left out")
}

fn called(walk: &Walk<'_>, node: Node<'_>) -> Option<&'static str> {
    // What only tidies up, waits or gives hints is not noticed by tests, and some calls never return.
    const KEPT: Words = Words(
        "close flush lock unlock rlock runlock release acquire dispose drop sleep reserve \
        wait join done exit super __init__ preventdefault stoppropagation gosched shrink_to_fit collect next pop \
        shift advance bump read recv consume freeze cleartimeout unref",
    );
    let mut call = node;
    while matches!(call.kind(), "await" | "await_expression" | "try_expression") {
        call = call.named_child(0)?;
    }
    if !matches!(call.kind(), "call" | "call_expression") {
        return None;
    }
    let callee = syntax::field(call, "function", walk.source);
    let name = callee.rsplit(['.', ':']).next().unwrap_or(callee).to_lowercase();
    let kept = KEPT.has(name.as_str()) || callee.starts_with("super") || is_log(callee);
    let whole = syntax::text(call, walk.source);
    let takes = [".pop(", ".next(", ".shift(", ".popleft(", ".pop_front("];
    let steers = walk.is_needed(whole) || takes.iter().any(|take| whole.contains(take));
    (!kept && !steers).then_some("the call is left out")
}

fn breaks(walk: &mut Walk<'_>, node: Node<'_>, scope: Scope<'_>) {
    // `found = True; break` only saves time.
    let before = node.prev_named_sibling().map_or("", |n| syntax::text(n, walk.source));
    let before = before.trim_end_matches(';').to_lowercase();
    let search = before.ends_with("true") || before.ends_with("false");
    let bare = node.named_child_count() == 0;
    if scope.turn == Turn::Each && bare && !search {
        flow(walk, node, "break", "continue");
    }
}

fn flow(walk: &mut Walk<'_>, node: Node<'_>, word: &str, other: &str) {
    let text = syntax::text(node, walk.source).replacen(word, other, 1);
    let what = format!("`{word}` becomes `{other}`");
    walk.add(Candidate::of(Rank::Flow, node, text, what));
}

/// The opposite of a well-known function.
fn opposite(walk: &mut Walk<'_>, node: Node<'_>, scope: Scope<'_>) {
    const PAIRS: [(&str, &str); 15] = [
        ("min", "max"),
        ("Min", "Max"),
        ("any", "all"),
        ("some", "every"),
        ("floor", "ceil"),
        ("Floor", "Ceil"),
        ("upper", "lower"),
        ("startswith", "endswith"),
        ("startsWith", "endsWith"),
        ("starts_with", "ends_with"),
        ("toUpperCase", "toLowerCase"),
        ("to_uppercase", "to_lowercase"),
        ("is_some", "is_none"),
        ("is_ok", "is_err"),
        ("HasPrefix", "HasSuffix"),
    ];
    let Some(callee) = node.child_by_field_name("function") else { return };
    let last = ["attribute", "property", "field"]
        .iter()
        .find_map(|field| callee.child_by_field_name(field))
        .unwrap_or(callee);
    let name = syntax::text(last, walk.source);
    let other = PAIRS.iter().find_map(|(a, b)| match name {
        _ if name == *a => Some(*b),
        _ if name == *b => Some(*a),
        _ => None,
    });
    if let (Some(other), true) = (other, scope.place != Place::While) {
        walk.add(Candidate::becomes(Rank::Opposite, last, walk.source, other.to_owned()));
    }
}

/// Whether both sides of a comparison are what is chosen from, so that at the boundary either will do:
/// `if a > best { best = a }`, `a < b ? a : b`, `if x < low { return low }`.
pub(super) fn is_settled(node: Node<'_>, source: &str) -> bool {
    let (condition, then, other) = if node.kind() == "conditional_expression" {
        (node.named_child(1), node.named_child(0), node.named_child(2))
    } else {
        (
            node.child_by_field_name("condition"),
            node.child_by_field_name("consequence"),
            node.child_by_field_name("alternative"),
        )
    };
    let (Some(condition), Some(then)) = (condition.map(inside), then) else { return false };
    let named = syntax::children(condition);
    let [a, b] = named.as_slice() else { return false };
    let sides = [syntax::text(*a, source), syntax::text(*b, source)];
    let zero = sides.iter().any(|s| ["0", "0.0"].contains(s));
    let bare = |text: &str| {
        let text = text.trim().trim_start_matches("else").trim().trim_start_matches(':');
        let text = text.trim_start_matches('{').trim_end_matches('}').trim().trim_end_matches(';');
        text.trim_start_matches("return ").trim().to_owned()
    };
    let side = |text: &str| {
        let positive = text.trim_start_matches('-');
        sides.contains(&text) || (zero && sides.contains(&positive))
    };
    let then = bare(syntax::text(then, source));
    if let Some((left, right)) = then.split_once(" = ") {
        return side(left.trim()) && side(right.trim());
    }
    side(&then) && other.is_none_or(|o| side(&bare(syntax::text(o, source))))
}
