//! What tests are given from outside of themselves in their own file: tables that a loop goes over, constants, fixtures. The
//! same file with other values there.

use super::literals::{Found, Literal, Value};
use super::{About, literals, other};
use crate::observe::{parsed, put, span};
use proctor_lang::Language;
use proctor_lang::edit::Edit;
use proctor_lang::syntax::{children, field, text};
use std::ops::Range;
use tree_sitter::Node;

/// In how many ways it can be another.
pub const TABLE_WAYS: usize = 4;

/// What is run before tests, or holds them.
const AROUND: [&str; 9] = [
    "describe",
    "suite",
    "context",
    "before",
    "beforeEach",
    "beforeAll",
    "setUp",
    "setup",
    "setup_method",
];

/// A file whose tests begin at these lines with other values around them, in one of [`TABLE_WAYS`]; none where nothing of
/// that is new.
pub fn other_tables(
    file: &str,
    source: &str,
    lines: &[u32],
    (about, way): (&About<'_>, usize),
) -> Option<String> {
    let language = Language::of(file)?;
    let tree = parsed(language, source)?;
    let spans: Vec<Range<usize>> =
        lines.iter().filter_map(|line| span(file, source, *line)).collect();
    let mut parts = Vec::new();
    outside(tree.root_node(), (language, source), &spans, &mut parts);
    parts.retain(|part| literals::is_of_tests((file, language), tree.root_node(), (&spans, part)));
    let mut found = Found::default();
    for part in parts {
        found.literals.extend(literals::of(language, tree.root_node(), source, &part).literals);
    }
    let is_new = |l: &&Literal| (about.is_new)(u32::try_from(l.line + 1).unwrap_or(u32::MAX));
    let is_file = |l: &&Literal| l.string().is_some_and(about.is_file);
    let new = found.literals.iter().filter(is_new).filter(|l| !l.is_edge() && !is_file(l));
    let edits: Vec<Edit> = new
        .filter_map(|l| {
            let next = other(&l.value, way)?;
            (next != l.value.shown()).then(|| put(l.range.start, l.range.end, l.written(&next)))
        })
        .collect();
    (!edits.is_empty()).then(|| Edit::applied(source, &edits))
}

/// Another value in the place of any: by letters and small steps, further away, longer, and once more.
fn other(value: &Value, way: usize) -> Option<String> {
    match (value, way) {
        (Value::String(text), 2) => Some(other::longer(text)),
        (Value::Whole(n), 0) => Some(other::stepped(*n, 0).to_string()),
        (Value::Float(x), 0) => other::stepped_float(x, 0),
        (_, 2) => None,
        (Value::Float(x), 3) => other::floats(x).last().map(|(_, y)| y.clone()),
        (value, way) => other::all(value, way),
    }
}

/// The parts of a file that stand in no test and in no function that only helps.
fn outside(
    node: Node<'_>,
    about: (Language, &str),
    spans: &[Range<usize>],
    found: &mut Vec<Range<usize>>,
) {
    for child in children(node) {
        let range = child.byte_range();
        let holds = spans.iter().any(|s| s.start >= range.start && s.end <= range.end);
        let inside = spans.iter().any(|s| s.start <= range.start && s.end >= range.end);
        if inside || child.kind().starts_with("import") {
            continue;
        }
        if holds || is_around(child, about.1) {
            outside(child, about, spans, found);
        } else if !is_function(child) {
            found.push(range);
        } else if gives(child, about.1) || gives_back(child, about) {
            let inner = child.child_by_field_name("definition").unwrap_or(child);
            found.extend(inner.child_by_field_name("body").map(|body| body.byte_range()));
        }
    }
}

/// A function by itself, or a call that is given one: what it does is its own.
fn is_function(node: Node<'_>) -> bool {
    let named = ["function_definition", "decorated_definition", "function_declaration"];
    let more = [
        "method_declaration",
        "function_item",
        "method_definition",
        "impl_item",
        "macro_definition",
    ];
    if named.contains(&node.kind()) || more.contains(&node.kind()) {
        return true;
    }
    let mut found = false;
    proctor_lang::syntax::walk(node, &|_| true, &mut |n| {
        found |= matches!(n.kind(), "arrow_function" | "function_expression" | "func_literal");
    });
    found
}

/// Whether a call or a class holds tests or prepares them.
fn is_around(node: Node<'_>, source: &str) -> bool {
    if node.kind() == "class_definition" || node.kind() == "mod_item" {
        return true;
    }
    let said = text(node, source);
    let first = said.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(said);
    node.kind() == "expression_statement" && AROUND.contains(&first)
}

/// A function that makes what tests are given.
fn gives(function: Node<'_>, source: &str) -> bool {
    let decorated = function.kind() == "decorated_definition";
    let marks = children(function).into_iter().filter(|n| n.kind() == "decorator");
    let is_fixture = marks.into_iter().any(|n| text(n, source).contains("fixture"));
    (decorated && is_fixture) || AROUND.contains(&field(function, "name", source))
}

/// A function beside compiled tests that has a result and asserts nothing.
fn gives_back(function: Node<'_>, (language, source): (Language, &str)) -> bool {
    let (result, asserts): (&str, &[&str]) = match language {
        Language::Go => ("result", &[".Error", ".Fatal", ".Fail", "assert.", "require."]),
        Language::Rust => ("return_type", &["assert", "#[test]"]),
        _ => return false,
    };
    let said = text(function, source);
    function.child_by_field_name(result).is_some() && !asserts.iter().any(|a| said.contains(a))
}
