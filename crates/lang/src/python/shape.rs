//! What reading the body of a Python test says about it: whether it checks anything, always fails, or is skipped.

use crate::syntax;
use crate::words::Words;
use proctor_core::item::Shape;
use std::collections::BTreeMap;
use tree_sitter::Node;

/// The functions of one file by name.
pub(crate) type Helpers<'t> = BTreeMap<String, Node<'t>>;

const CHECK_WORDS: Words = Words("assert check verify expect");

pub(crate) fn helpers<'t>(root: Node<'t>, source: &str) -> Helpers<'t> {
    let mut found = Helpers::new();
    syntax::walk(root, &|_| true, &mut |node| {
        if node.kind() == "function_definition" {
            found.insert(syntax::field(node, "name", source).to_owned(), node);
        }
    });
    found
}

/// `pytestmark = pytest.mark.skip`, or `pytest.skip(…, allow_module_level=True)` at the top.
pub(crate) fn module_is_skipped(root: Node<'_>, source: &str) -> bool {
    syntax::children(root).into_iter().any(|node| {
        let text = syntax::folded(syntax::text(node, source));
        let marked = text.starts_with("pytestmark")
            && text.split_once('=').is_some_and(|(_, mark)| is_skip_mark(mark));
        marked || (node.kind() == "expression_statement" && text.starts_with("pytest.skip("))
    })
}

/// Whether a decorator skips it or expects it to fail, whatever the platform.
pub(crate) fn is_marked_skipped(whole: Node<'_>, source: &str) -> bool {
    syntax::children(whole)
        .into_iter()
        .filter(|n| n.kind() == "decorator")
        .any(|n| is_skip_mark(syntax::text(n, source).trim_start_matches('@')))
}

fn is_skip_mark(mark: &str) -> bool {
    let path =
        mark.trim().trim_start_matches('[').split(['(', ',', ']']).next().unwrap_or("").trim();
    let last = path.rsplit('.').next().unwrap_or("");
    matches!(last, "skip" | "xfail" | "expectedFailure")
}

#[derive(Default)]
struct Seen {
    checks: bool,
    constant_failure: bool,
    skips: bool,
}

pub(crate) fn of_body(function: Node<'_>, source: &str, helpers: &Helpers<'_>) -> Shape {
    let Some(body) = function.child_by_field_name("body") else {
        return Shape::NoAssertion;
    };
    let mut seen = Seen::default();
    let mut may_have_left = false;
    for statement in syntax::children(body) {
        let unconditional = !may_have_left;
        match plain_failure(statement, source) {
            Some(Plain::Skips) if unconditional => seen.skips = true,
            Some(Plain::Fails) if unconditional => seen.constant_failure = true,
            Some(Plain::Fails) => seen.checks = true,
            Some(Plain::Skips | Plain::Holds) => {}
            None => {
                seen.checks |= has_checks(statement, source, Some(helpers));
                may_have_left |= leaves(statement);
            }
        }
        // What follows an unconditional end is never reached.
        if seen.skips || seen.constant_failure {
            break;
        }
    }
    if seen.skips {
        Shape::Skipped
    } else if seen.constant_failure {
        Shape::ConstantFailure
    } else if seen.checks {
        Shape::Sound
    } else {
        Shape::NoAssertion
    }
}

enum Plain {
    Fails,
    Holds,
    Skips,
}

/// A statement whose end is known without running anything.
fn plain_failure(statement: Node<'_>, source: &str) -> Option<Plain> {
    match statement.kind() {
        "assert_statement" => {
            let condition = statement.named_child(0)?;
            if constant(condition, source)? { Some(Plain::Holds) } else { Some(Plain::Fails) }
        }
        "raise_statement" => {
            let text = syntax::text(statement, source);
            Some(if text.contains("SkipTest") || text.contains("skip.Exception") {
                Plain::Skips
            } else {
                Plain::Fails
            })
        }
        "expression_statement" => {
            let call = statement.named_child(0).filter(|n| n.kind() == "call")?;
            match syntax::field(call, "function", source) {
                "pytest.fail" | "self.fail" => Some(Plain::Fails),
                "pytest.skip" | "self.skipTest" | "pytest.xfail" => Some(Plain::Skips),
                name @ ("self.assertTrue" | "self.assertFalse") => {
                    let first = call.child_by_field_name("arguments")?.named_child(0)?;
                    let holds = constant(first, source)? == name.ends_with("True");
                    Some(if holds { Plain::Holds } else { Plain::Fails })
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// The truth of an expression of literals alone.
fn constant(node: Node<'_>, source: &str) -> Option<bool> {
    match node.kind() {
        "true" => Some(true),
        "false" | "none" => Some(false),
        "integer" => Some(!syntax::text(node, source).trim_start_matches('0').is_empty()),
        "string" => Some(!syntax::text(node, source).trim_matches(['"', '\'']).is_empty()),
        "parenthesized_expression" => constant(node.named_child(0)?, source),
        "not_operator" => Some(!constant(node.child_by_field_name("argument")?, source)?),
        "comparison_operator" => {
            let sides = syntax::children(node);
            let literal = sides.iter().all(|n| {
                matches!(n.kind(), "integer" | "float" | "string" | "true" | "false" | "none")
            });
            let [left, right] = sides.as_slice() else {
                return None;
            };
            let equal = syntax::text(*left, source) == syntax::text(*right, source);
            let operator = source.get(left.end_byte()..right.start_byte())?.trim();
            match (literal, operator) {
                (true, "==" | "is") => Some(equal),
                (true, "!=" | "is not") => Some(!equal),
                _ => None,
            }
        }
        _ => None,
    }
}

fn leaves(statement: Node<'_>) -> bool {
    let mut found = false;
    syntax::walk(
        statement,
        &|n| n.kind() != "function_definition" && n.kind() != "lambda",
        &mut |n| {
            found |= n.kind() == "return_statement";
        },
    );
    found
}

/// Whether something in here could fail the test on purpose. With `helpers`, functions of the same file are followed.
fn has_checks(node: Node<'_>, source: &str, helpers: Option<&Helpers<'_>>) -> bool {
    let mut found = false;
    syntax::walk(node, &|_| true, &mut |n| match n.kind() {
        "assert_statement" => {
            let condition = n.named_child(0).and_then(|c| constant(c, source));
            found |= condition != Some(true);
        }
        "raise_statement" => found = true,
        "call" => found |= is_check(n, source, helpers),
        _ => {}
    });
    found
}

/// Whether there is an assertion in here, and not only something that might raise.
fn asserts(node: Node<'_>, source: &str) -> bool {
    let mut found = false;
    syntax::walk(node, &|_| true, &mut |n| match n.kind() {
        "assert_statement" => {
            found |= n.named_child(0).and_then(|c| constant(c, source)) != Some(true);
        }
        "call" => {
            let function = syntax::field(n, "function", source);
            let named = function.strip_prefix("self.").is_some_and(|f| f.starts_with("assert"));
            found |= named && plain_failure(n.parent().unwrap_or(n), source).is_none();
        }
        _ => {}
    });
    found
}

fn is_check(call: Node<'_>, source: &str, helpers: Option<&Helpers<'_>>) -> bool {
    let function = syntax::field(call, "function", source);
    let name = function.rsplit('.').next().unwrap_or(function);
    let lower = name.to_lowercase();
    if matches!(name, "raises" | "warns" | "deprecated_call" | "fail") {
        return true;
    }
    let own = function == name || function.strip_prefix("self.") == Some(name);
    let helper = helpers.and_then(|h| h.get(name)).filter(|_| own);
    if !CHECK_WORDS.iter().any(|word| lower.contains(word)) {
        // A function of the same file under another name counts if it asserts outright.
        let body = helper.and_then(|helper| helper.child_by_field_name("body"));
        return body.is_some_and(|body| asserts(body, source));
    }
    match helper {
        Some(helper) => {
            helper.child_by_field_name("body").is_some_and(|body| has_checks(body, source, None))
        }
        None => plain_failure(call.parent().unwrap_or(call), source).is_none(),
    }
}
