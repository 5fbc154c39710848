//! Rust tests: where one stands, and which of its macros are assertions.

use super::claims::{Holds, Same, about, claims, pattern, slack};
use super::force::{Force, Message};
use super::loops::note_loops;
use super::model::{Check, Echo, Found, Mock, Rows, Source, Test, Whole, call_of, short};
use super::scope::Scope;
use super::tokens::{Kind, Token, is_literal, split, tokens};
use proctor_lang::syntax;
use tree_sitter::Node;

pub(super) fn test_at<'t>(source: &Source<'t>, line: u32) -> Option<Whole<'t>> {
    let mut found = None;
    syntax::walk(source.root, &|_| true, &mut |node| {
        if node.kind() != "function_item" || found.is_some() {
            return;
        }
        let mut marks = Vec::new();
        let mut before = node.prev_named_sibling();
        while let Some(mark) = before
            .filter(|n| matches!(n.kind(), "attribute_item" | "line_comment" | "block_comment"))
        {
            marks.push(mark);
            before = mark.prev_named_sibling();
        }
        marks.retain(|n| n.kind() == "attribute_item");
        if syntax::line(node) == line || marks.iter().any(|m| syntax::line(*m) == line) {
            found = node.child_by_field_name("body").map(|body| Whole { node, body, marks });
        }
    });
    found
}

pub(super) fn found(source: &Source<'_>, node: Node<'_>, scope: &Scope) -> Found {
    match node.kind() {
        "macro_invocation" => asserted(source, node, scope),
        "call_expression" => {
            let (name, arguments) = call_of(source, node);
            Found::Call(name, arguments)
        }
        _ => Found::Nothing,
    }
}

fn asserted(source: &Source<'_>, node: Node<'_>, scope: &Scope) -> Found {
    let path = source.field(node, "macro");
    let name = path.rsplit("::").next().unwrap_or(path);
    let name = name.trim_start_matches("prop_").trim_start_matches("debug_");
    if !name.starts_with("assert") {
        return Found::Nothing;
    }
    let given = syntax::children(node)
        .into_iter()
        .find(|n| n.kind() == "token_tree")
        .map_or("", |n| source.str(n));
    let inner = given.get(1..given.len().saturating_sub(1)).unwrap_or("");
    let resolved = scope.resolved(inner, node.start_byte());
    let arguments = split(&resolved, ",");
    let (first, second) = (
        arguments.first().copied().unwrap_or_default(),
        arguments.get(1).copied().unwrap_or_default(),
    );
    let made = match name {
        "assert" => claims(first, Holds::True),
        "assert_eq" | "assert_str_eq" => vec![about(first, second, Same::Yes)],
        "assert_ne" => vec![about(first, second, Same::No)],
        "assert_matches" => vec![pattern(&arguments)],
        "assert_relative_eq" | "assert_abs_diff_eq" | "assert_ulps_eq" => {
            let subject = if is_literal(first) { second } else { first };
            vec![(subject.to_vec(), Force::Approx { slack: slack(&arguments) })]
        }
        name if name.contains("snapshot") => {
            let subject = arguments.iter().find(|a| !is_literal(a)).copied().unwrap_or(first);
            vec![(subject.to_vec(), Force::Equal { expected: Vec::new() })]
        }
        _ => vec![(first.to_vec(), Force::Unknown)],
    };
    Found::Claims(made.into_iter().map(|claim| (claim, Mock::Real)).collect())
}

pub(super) fn finish(source: &Source<'_>, whole: &Whole<'_>, test: &mut Test) {
    for mark in &whole.marks {
        let written = syntax::folded(source.str(*mark));
        let inner = written.trim_start_matches("#[").trim_end_matches(']').trim();
        let name = inner.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("");
        match name {
            "ignore" => {
                test.marks.insert(short(&written));
            }
            "should_panic" => {
                let message =
                    if inner.contains("expected") { Message::Asked } else { Message::Any };
                let subject = tokens(source.str(whole.body));
                let force = Force::Raises { kinds: vec!["panic".to_owned()], message };
                test.checks.push(Check {
                    text: short(&written),
                    claim: (subject.clone(), force.clone()),
                    plain: (subject, force),
                    echo: Echo::No,
                    raw: tokens(&written),
                    guard: super::around::Guard::None,
                    rows: Rows::Known(1),
                    mock: Mock::Real,
                    own: false,
                });
            }
            "case" | "test_case" => test.cases.push(tokens(inner)),
            _ => {}
        }
    }
    if whole.marks.iter().any(|m| source.str(*m).contains("case")) {
        let rows = test.cases.len().max(1);
        for check in &mut test.checks {
            check.rows = check.rows.times(Rows::Known(rows));
        }
    }
    let mut scope = Scope::default();
    scope.read(source.language, whole.body, source.text);
    note_loops(source, whole.body, &scope, test);
    proptest(source, whole, test);
}

/// `with_cases(100)` of proptest.
fn proptest(source: &Source<'_>, whole: &Whole<'_>, test: &mut Test) {
    let words: Vec<Token> = tokens(source.str(whole.body));
    let cases = words.windows(3).find(|w| w[0].is("with_cases") && w[2].kind == Kind::Number);
    test.bounds.extend(cases.and_then(|w| w[2].text.parse::<u64>().ok()));
}
