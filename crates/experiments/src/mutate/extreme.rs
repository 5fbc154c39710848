//! The extreme mutant of a function: its whole body is gone and it returns the default. Takes only functions whose
//! body lies mostly in the lines that are asked for.

use super::candidate::{Candidate, Rank, short};
use super::never::never;
use super::part::name_of;
use super::returns;
use super::walk::Walk;
use proctor_lang::edit::Edit;
use proctor_lang::syntax;
use proctor_lang::{Language, Words};
use std::fmt::Write as _;
use tree_sitter::Node;

/// `owner` is the trait that is implemented around a Rust function, else empty.
pub(super) fn find(walk: &mut Walk<'_>, function: Node<'_>, default: Option<&str>, owner: &str) {
    let (Some(body), Some(default)) = (function.child_by_field_name("body"), default) else {
        return;
    };
    let name = name_of(function, walk.source);
    let untested = match walk.language {
        Language::Rust => name == "main" || owner == "Drop" || name.is_empty(),
        Language::Go => ["main", "init", ""].contains(&name),
        Language::Python => false,
        Language::Java => true,
        Language::Script(_) => name == "constructor" || body.kind() != "statement_block",
    };
    if untested || !is_mostly_asked(walk, body) {
        return;
    }
    let statements = statements_of(walk.language, body);
    let (Some(first), Some(last)) = (statements.first(), statements.last()) else { return };
    let idle = statements.iter().all(|n| is_idle(walk, *n));
    if idle || (statements.len() == 1 && is_said_already(*first)) {
        return;
    }
    let (from, to, text, returned) = match walk.language {
        Language::Python => {
            let text = python(function);
            (first.start_byte(), last.end_byte(), text.to_owned(), text.strip_prefix("return "))
        }
        Language::Rust if default == "()" => {
            (body.start_byte(), body.end_byte(), "{}".to_owned(), None)
        }
        Language::Rust => {
            (body.start_byte(), body.end_byte(), format!("{{ {default} }}"), Some(default))
        }
        // Insertion alone: names that are no longer used don't compile there.
        Language::Go => {
            let text = format!(" if true {{ return {default} }};").replace("return  }", "return }");
            let at = body.start_byte() + 1;
            (at, at, text, Some(default).filter(|d| !d.is_empty()))
        }
        Language::Script(_) => {
            let range = body.byte_range();
            if default == "undefined" || !gives_back(body) {
                (range.start, range.end, "{}".to_owned(), None)
            } else {
                (range.start, range.end, format!("{{ return {default}; }}"), Some(default))
            }
        }
        Language::Java => return,
    };
    let mut what = if name.is_empty() {
        "the body is left out".to_owned()
    } else {
        format!("the body of `{name}` is left out")
    };
    if let Some(returned) = returned {
        let _ = write!(what, ", it returns {}", short(returned));
    }
    let line =
        if walk.language == Language::Python { syntax::line(*first) } else { syntax::line(body) };
    let edit = Edit { line, from, to, text, what };
    walk.found.push(Candidate { rank: Rank::Extreme, edit });
}

/// The statements of a body, without doc texts and comments.
fn statements_of(language: Language, body: Node<'_>) -> Vec<Node<'_>> {
    let mut all: Vec<Node<'_>> = syntax::children(body);
    if language == Language::Go {
        all = all.into_iter().flat_map(syntax::children).collect();
    }
    all.retain(|n| !n.kind().ends_with("comment"));
    let doc = language == Language::Python
        && all.first().is_some_and(|n| {
            n.kind() == "expression_statement"
                && n.named_child(0)
                    .is_some_and(|s| matches!(s.kind(), "string" | "concatenated_string"))
        });
    if doc {
        all.remove(0);
    }
    all
}

/// More than half of the lines with code.
fn is_mostly_asked(walk: &Walk<'_>, body: Node<'_>) -> bool {
    let (first, last) = (syntax::line(body), body.end_position().row);
    let text = walk.source.get(body.byte_range()).unwrap_or("");
    let mut all = 0;
    let mut asked = 0;
    for (line, written) in (first..).zip(text.lines()) {
        let written = written.trim();
        let brackets = written.chars().all(|c| "{}();,".contains(c)) && first as usize <= last;
        if brackets || written.starts_with("//") || written.starts_with('#') {
            continue;
        }
        all += 1;
        asked += usize::from(walk.lines.contains(&line));
    }
    asked * 2 > all
}

/// A statement that is never mutated: it fails, asserts or tells something.
fn is_idle(walk: &Walk<'_>, statement: Node<'_>) -> bool {
    let inner = stated(statement);
    never(walk.language, inner, walk.source)
        || returns::is_failure(walk.language, inner, walk.source)
        || matches!(inner.kind(), "pass_statement" | "ellipsis")
}

/// A body of one statement for which its other mutants say the same.
fn is_said_already(statement: Node<'_>) -> bool {
    let flows =
        Words("match_expression if_expression for_expression while_expression loop_expression");
    match stated(statement).kind() {
        "return_statement" | "return_expression" => true,
        kind if flows.has(kind) => false,
        // A Rust function of one value: the value is replaced itself.
        _ => statement.kind() != "expression_statement" && statement.kind().ends_with("expression"),
    }
}

/// What a statement is of: the expression of one.
fn stated(statement: Node<'_>) -> Node<'_> {
    let is = statement.kind() == "expression_statement";
    statement.named_child(0).filter(|_| is).unwrap_or(statement)
}

/// What a Python body becomes.
fn python(function: Node<'_>) -> &'static str {
    let own = Words("function_definition lambda class_definition");
    let body = function.child_by_field_name("body").unwrap_or(function);
    if holds(body, own, |n| n.kind() == "yield") {
        // Still a generator, or every caller would fail at once.
        "return; yield"
    } else if holds(body, own, |n| n.kind() == "return_statement" && n.named_child_count() > 0) {
        "return None"
    } else {
        "pass"
    }
}

/// Whether a script's function returns something.
fn gives_back(body: Node<'_>) -> bool {
    let own = Words("function_declaration function_expression arrow_function method_definition");
    holds(body, own, |n| n.kind() == "return_statement" && n.named_child_count() > 0)
}

/// Whether there is such a node below, not counting what lies inside of these kinds.
fn holds(root: Node<'_>, own: Words, wanted: impl Fn(Node<'_>) -> bool) -> bool {
    syntax::nodes_into(root, |n| !own.has(n.kind())).any(wanted)
}
