//! What reading the body of a Rust test says about it: whether it checks anything, always fails, or is ignored.

use crate::syntax;
use crate::words::Words;
use proctor_core::item::Shape;
use std::collections::BTreeMap;
use tree_sitter::Node;

/// The functions of one file by name.
pub(crate) type Helpers<'t> = BTreeMap<String, Node<'t>>;

const CHECK_WORDS: Words = Words("assert check verify expect");
const FAILING: Words = Words("panic todo unimplemented unreachable");

pub(crate) fn helpers<'t>(root: Node<'t>, source: &str) -> Helpers<'t> {
    let mut found = Helpers::new();
    syntax::walk(root, &|_| true, &mut |node| {
        if node.kind() == "function_item" {
            found.insert(syntax::field(node, "name", source).to_owned(), node);
        }
    });
    found
}

pub(crate) fn of(
    function: Node<'_>,
    attributes: &[&str],
    source: &str,
    helpers: &Helpers<'_>,
) -> Shape {
    let has = |name: &str| attributes.iter().any(|a| attribute_name(a) == name);
    if has("ignore") {
        return Shape::Skipped;
    }
    let Some(body) = function.child_by_field_name("body") else {
        return Shape::NoAssertion;
    };
    let mut checks = false;
    let mut may_have_left = false;
    for statement in syntax::children(body) {
        match plain(statement, source) {
            // A test that expects a panic and panics by itself shows nothing.
            Some(Plain::Fails) if has("should_panic") && !checks => return Shape::NoAssertion,
            Some(Plain::Fails) if !may_have_left => return Shape::ConstantFailure,
            Some(Plain::Fails) => checks = true,
            Some(Plain::Holds) => {}
            None => {
                checks |= has_checks(statement, source, Some(helpers));
                checks |= has("should_panic") && calls_something(statement);
                may_have_left |= leaves(statement);
            }
        }
    }
    if checks { Shape::Sound } else { Shape::NoAssertion }
}

fn attribute_name(attribute: &str) -> &str {
    let inner = attribute.trim_start_matches("#[").trim_start();
    inner.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("")
}

enum Plain {
    Fails,
    Holds,
}

/// A statement whose end is known without running anything.
fn plain(statement: Node<'_>, source: &str) -> Option<Plain> {
    let inner = if statement.kind() == "expression_statement" {
        statement.named_child(0)?
    } else {
        statement
    };
    if inner.kind() != "macro_invocation" {
        return None;
    }
    let name = macro_name(inner, source);
    if FAILING.has(name) {
        return Some(Plain::Fails);
    }
    let arguments = arguments(inner, source);
    match (name, arguments.as_slice()) {
        ("assert" | "debug_assert", [first, ..]) if first == "false" => Some(Plain::Fails),
        ("assert" | "debug_assert", [first, ..]) if first == "true" => Some(Plain::Holds),
        ("assert_eq" | "debug_assert_eq", [a, b, ..]) if is_literal(a) && is_literal(b) => {
            Some(if a == b { Plain::Holds } else { Plain::Fails })
        }
        ("assert_ne" | "debug_assert_ne", [a, b, ..]) if is_literal(a) && is_literal(b) => {
            Some(if a == b { Plain::Fails } else { Plain::Holds })
        }
        _ => None,
    }
}

fn macro_name<'a>(invocation: Node<'_>, source: &'a str) -> &'a str {
    let path = syntax::field(invocation, "macro", source);
    path.rsplit("::").next().unwrap_or(path)
}

/// A macro's arguments, split at the commas of its own level.
fn arguments(invocation: Node<'_>, source: &str) -> Vec<String> {
    let text = syntax::children(invocation)
        .into_iter()
        .find(|n| n.kind() == "token_tree")
        .map_or("", |n| syntax::text(n, source));
    let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or("");
    let mut depth = 0;
    let split = inner.split(move |c| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    });
    split.map(syntax::folded).collect()
}

fn is_literal(text: &str) -> bool {
    let number = text.chars().next().is_some_and(|c| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
    let string = text.len() > 1
        && text.starts_with('"')
        && text.ends_with('"')
        && text.matches('"').count() == 2;
    number || string || matches!(text, "true" | "false")
}

fn leaves(statement: Node<'_>) -> bool {
    let mut found = false;
    syntax::walk(
        statement,
        &|n| !matches!(n.kind(), "function_item" | "closure_expression"),
        &mut |n| {
            found |= n.kind() == "return_expression";
        },
    );
    found
}

fn calls_something(node: Node<'_>) -> bool {
    let mut found = false;
    syntax::walk(node, &|_| true, &mut |n| {
        found |= matches!(
            n.kind(),
            "call_expression" | "macro_invocation" | "index_expression" | "binary_expression"
        );
    });
    found
}

/// Whether something in here could fail the test on purpose. With `helpers`, functions of the same file are followed.
fn has_checks(node: Node<'_>, source: &str, helpers: Option<&Helpers<'_>>) -> bool {
    let mut found = false;
    syntax::walk(node, &|_| true, &mut |n| {
        found |= match n.kind() {
            "macro_invocation" => {
                let name = macro_name(n, source);
                let asserts =
                    name.contains("assert") && !matches!(plain(n, source), Some(Plain::Holds));
                asserts || FAILING.has(name)
            }
            "try_expression" => n.named_child(0).is_some_and(calls_something),
            "call_expression" => is_check(n, source, helpers),
            _ => false,
        };
    });
    found
}

/// Whether a function stands among tests: production code may assert for reasons of its own.
fn is_of_the_tests(function: Node<'_>, source: &str) -> bool {
    let before = source.get(..function.start_byte()).unwrap_or_default();
    let mixed = source.contains("#[cfg(test)]") || source.contains("pub fn ");
    before.contains("#[cfg(test)]") || !mixed
}

/// Whether there is an assertion in here, and not only something that might panic.
fn asserts(node: Node<'_>, source: &str) -> bool {
    let mut found = false;
    syntax::walk(node, &|_| true, &mut |n| {
        found |= n.kind() == "macro_invocation"
            && macro_name(n, source).contains("assert")
            && !matches!(plain(n, source), Some(Plain::Holds));
    });
    found
}

fn is_check(call: Node<'_>, source: &str, helpers: Option<&Helpers<'_>>) -> bool {
    let Some(function) = call.child_by_field_name("function") else {
        return false;
    };
    if function.kind() == "field_expression" {
        let method = syntax::field(function, "field", source);
        let receiver = function.child_by_field_name("value");
        if matches!(method, "unwrap" | "expect" | "unwrap_err" | "expect_err") {
            return receiver.is_some_and(calls_something);
        }
        return names_a_check(method);
    }
    let path = syntax::text(function, source);
    let name = path.rsplit("::").next().unwrap_or(path);
    let helper = helpers.and_then(|h| h.get(name));
    if !names_a_check(name) {
        // A function of the tests under another name counts if it asserts outright.
        let own = helper.filter(|helper| is_of_the_tests(**helper, source));
        let body = own.and_then(|helper| helper.child_by_field_name("body"));
        return body.is_some_and(|body| asserts(body, source));
    }
    match helper {
        Some(helper) => {
            helper.child_by_field_name("body").is_some_and(|body| has_checks(body, source, None))
        }
        None => true,
    }
}

fn names_a_check(name: &str) -> bool {
    let lower = name.to_lowercase();
    CHECK_WORDS.iter().any(|word| lower.contains(word))
}
