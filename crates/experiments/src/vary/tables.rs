//! What tests are given from outside of themselves in their own file: tables that a loop goes over, constants, fixtures. The
//! same file with other values there.

use super::literals::{Found, Literal, Value};
use super::{About, literals, other};
use crate::observe::{parsed, put, span};
use proctor_lang::Language;
use proctor_lang::edit::Edit;
use proctor_lang::syntax::{children, field, text};
use std::collections::BTreeSet;
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
    outside(tree.root_node(), (language, source), (&spans, about.is_new), &mut parts);
    parts.retain(|part| literals::is_of_tests((file, language), tree.root_node(), (&spans, part)));
    let mut found = Found::default();
    for part in parts {
        found.literals.extend(literals::of(language, tree.root_node(), source, &part).literals);
    }
    let is_new = |l: &&Literal| (about.is_new)(u32::try_from(l.line + 1).unwrap_or(u32::MAX));
    let new = found.literals.iter().filter(is_new).filter(|l| !l.is_edge() && !about.stays(l));
    let edits: Vec<Edit> = new
        .filter_map(|l| {
            let next = other(&l.value, way)?;
            (next != l.value.shown()).then(|| put(l.range.start, l.range.end, l.written(&next)))
        })
        .collect();
    (!edits.is_empty()).then(|| Edit::applied(source, &edits))
}

/// What stands around a test in its file and is given to it: tables, constants, fixtures, what prepares it, functions that
/// make something for it. Found by the names that the test and such parts have.
pub(super) fn given_to(
    (language, root): (Language, Node<'_>),
    source: &str,
    span: &Range<usize>,
) -> Vec<Range<usize>> {
    debug_assert!(super::stands_beside(language));
    named_by(root, source, span, words(source.get(span.clone()).unwrap_or_default()))
}

/// The parts of a file outside of this span that these words name, and what those name in turn.
pub(super) fn named_by<'s>(
    root: Node<'_>,
    source: &'s str,
    span: &Range<usize>,
    mut known: BTreeSet<&'s str>,
) -> Vec<Range<usize>> {
    let mut rest = Vec::new();
    parts(root, (source, &holders(root, source, span)), span, &mut rest);
    let mut found = Vec::new();
    loop {
        let wanted = |part: &Part<'_>| {
            part.names.as_ref().is_none_or(|names| names.iter().any(|name| known.contains(name)))
        };
        let (taken, left): (Vec<Part<'_>>, Vec<Part<'_>>) = rest.into_iter().partition(wanted);
        if taken.is_empty() {
            break;
        }
        rest = left;
        for part in taken {
            known.extend(words(source.get(part.range.clone()).unwrap_or_default()));
            found.push(part.range);
        }
    }
    found
}

/// The classes of the file that a test or what is given to it names, with every place where such a name stands.
pub(super) fn classes(
    root: Node<'_>,
    source: &str,
    (span, parts): (&Range<usize>, &[Range<usize>]),
) -> Vec<(String, Vec<Range<usize>>)> {
    let given = parts.iter().chain([span]).filter_map(|range| source.get(range.clone()));
    let known: BTreeSet<&str> = given.flat_map(words).collect();
    let class = |n: &Node<'_>| {
        let named = matches!(n.kind(), "class_definition" | "class_declaration");
        let name = field(*n, "name", source);
        // What holds the test is no class of an input.
        let own = n.start_byte() <= span.start && n.end_byte() >= span.end;
        named && !own && known.contains(name)
    };
    let names: Vec<&str> =
        children(root).into_iter().filter(class).map(|n| field(n, "name", source)).collect();
    let mut found: Vec<(String, Vec<Range<usize>>)> =
        names.into_iter().map(|name| (name.to_owned(), Vec::new())).collect();
    proctor_lang::syntax::walk(root, &|_| true, &mut |n| {
        let said = text(n, source);
        let place =
            found.iter_mut().find(|(name, _)| n.kind().ends_with("identifier") && name == said);
        if let Some((_, places)) = place {
            places.push(n.byte_range());
        }
    });
    found
}

/// A part of a file, and the names that it gives to others; none where it is there for the test whatever it is called.
struct Part<'s> {
    range: Range<usize>,
    names: Option<Vec<&'s str>>,
}

/// The names of the functions that a test stands in: what they are called with is given to it.
fn holders<'s>(root: Node<'_>, source: &'s str, span: &Range<usize>) -> Vec<&'s str> {
    let mut found = Vec::new();
    let holds = |n: Node<'_>| n.start_byte() <= span.start && n.end_byte() >= span.end;
    proctor_lang::syntax::walk(root, &holds, &mut |n| {
        let is_own = n.start_byte() == span.start && n.end_byte() == span.end;
        if holds(n) && !is_own && n.kind() == "function_declaration" {
            found.push(field(n, "name", source));
        }
    });
    found
}

fn parts<'s>(
    node: Node<'_>,
    (source, holders): (&'s str, &[&str]),
    span: &Range<usize>,
    found: &mut Vec<Part<'s>>,
) {
    let block = ["module", "program", "block", "statement_block", "class_body", "class_definition"];
    for child in children(node) {
        let range = child.byte_range();
        if span.start <= range.start && span.end >= range.end || child.kind().starts_with("import")
        {
            continue;
        }
        if span.start >= range.start && span.end <= range.end {
            parts(child, (source, holders), span, found);
        } else if prepares(child, source)
            || calls(child, source, holders)
            || !block.contains(&node.kind())
        {
            // The header of a loop that makes tests, the rows of a table.
            found.push(Part { range, names: None });
        } else if !is_function(child) || gives(child, source) || makes(child, source) {
            let names = defined(child, source);
            if !names.is_empty() {
                found.push(Part { range, names: Some(names) });
            }
        }
    }
}

/// Whether a statement calls one of these functions.
fn calls(node: Node<'_>, source: &str, names: &[&str]) -> bool {
    let said = text(node, source);
    let first = said.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$')).next();
    node.kind() == "expression_statement" && first.is_some_and(|first| names.contains(&first))
}

/// `beforeEach(…)`, `def setUp(self)`.
fn prepares(node: Node<'_>, source: &str) -> bool {
    let said = text(node, source);
    let first = said.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(said);
    let called = node.kind() == "expression_statement" && first.starts_with("before");
    called || is_function(node) && AROUND.contains(&field(node, "name", source))
}

/// A function that gives something back and asserts nothing.
fn makes(node: Node<'_>, source: &str) -> bool {
    let said = text(node, source);
    let asserts = ["assert", "expect(", "raises("].iter().any(|word| said.contains(word));
    let is_call = node.kind() == "expression_statement";
    !asserts && !is_call && ["return ", "=>", "yield "].iter().any(|word| said.contains(word))
}

/// The names that a statement defines.
fn defined<'s>(statement: Node<'_>, source: &'s str) -> Vec<&'s str> {
    let inside =
        ["definition", "declaration"].iter().find_map(|f| statement.child_by_field_name(f));
    let inner = inside.unwrap_or(statement);
    let own = inner.child_by_field_name("name").map(|n| text(n, source));
    if let Some(own) = own {
        return vec![own];
    }
    let declared = children(inner).into_iter();
    let places = declared.filter_map(|n| {
        let of = |name: &str| n.child_by_field_name(name);
        of("left").or_else(|| of("name")).filter(|_| n.kind() != "call")
    });
    places.flat_map(|n| words(text(n, source))).collect()
}

/// The names that stand in a text.
pub fn words(text: &str) -> BTreeSet<&str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    text.split(|c: char| !is_part(c)).filter(|word| !word.is_empty()).collect()
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

/// The parts of a file that stand in no test and in no function that only helps, unless the change is inside of that.
fn outside(
    node: Node<'_>,
    about: (Language, &str),
    (spans, is_new): (&[Range<usize>], &dyn Fn(u32) -> bool),
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
            outside(child, about, (spans, is_new), found);
        } else if !is_function(child) {
            found.push(range);
        } else if gives(child, about.1) || gives_back(child, about) || is_partly(child, is_new) {
            let inner = child.child_by_field_name("definition").unwrap_or(child);
            found.extend(inner.child_by_field_name("body").map(|body| body.byte_range()));
        }
    }
}

/// Whether a function was there before, and has lines that are new.
fn is_partly(function: Node<'_>, is_new: &dyn Fn(u32) -> bool) -> bool {
    let line = |row: usize| u32::try_from(row + 1).unwrap_or(u32::MAX);
    let (from, to) = (line(function.start_position().row), line(function.end_position().row));
    !is_new(from) && (from..=to).any(is_new)
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
