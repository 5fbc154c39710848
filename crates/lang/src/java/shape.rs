//! What reading the body of a Java test says about it: whether it checks anything, always fails, or is skipped.

use crate::syntax;
use crate::words::Words;
use proctor_core::item::Shape;
use std::collections::BTreeMap;
use tree_sitter::Node;

/// The methods of one file by name.
pub(crate) type Methods<'t> = BTreeMap<String, Node<'t>>;

const CHECK_WORDS: Words = Words("assert check verify expect should");

/// How many methods deep a check may lie.
const DEPTH: u8 = 3;

pub(crate) fn methods<'t>(root: Node<'t>, source: &str) -> Methods<'t> {
    let mut found = Methods::new();
    syntax::walk(root, &|_| true, &mut |node| {
        if node.kind() == "method_declaration" {
            found.insert(syntax::field(node, "name", source).to_owned(), node);
        }
    });
    found
}

pub(crate) fn of_body(method: Node<'_>, source: &str, methods: &Methods<'_>) -> Shape {
    let Some(body) = method.child_by_field_name("body") else {
        return Shape::NoAssertion;
    };
    let mut checks = false;
    let mut may_have_left = false;
    for statement in syntax::children(body) {
        match plain(statement, source) {
            // What follows an unconditional end is never reached.
            Some(Plain::Skips) if !may_have_left => return Shape::Skipped,
            Some(Plain::Fails) if !may_have_left => return Shape::ConstantFailure,
            Some(Plain::Fails) => checks = true,
            Some(Plain::Skips | Plain::Holds) => {}
            None => {
                checks |= has_checks(statement, source, methods, DEPTH);
                may_have_left |= leaves(statement);
            }
        }
    }
    if checks { Shape::Sound } else { Shape::NoAssertion }
}

#[derive(Clone, Copy)]
enum Plain {
    Fails,
    Holds,
    Skips,
}

/// A statement whose end is known without running anything.
fn plain(statement: Node<'_>, source: &str) -> Option<Plain> {
    match statement.kind() {
        "assert_statement" => Some(held(constant(statement.named_child(0)?, source)?)),
        "throw_statement" => {
            let text = syntax::text(statement, source);
            let skips = text.contains("TestAborted")
                || text.contains("AssumptionViolated")
                || text.contains("SkipException");
            Some(if skips { Plain::Skips } else { Plain::Fails })
        }
        "expression_statement" => {
            let call = statement.named_child(0).filter(|n| n.kind() == "method_invocation")?;
            // `assertThat(…).isTrue()` and other chains are no plain calls.
            let object = syntax::field(call, "object", source);
            let direct = object.chars().all(|c| c.is_alphanumeric() || c == '.' || c == '_');
            if direct { plain_call(call, source) } else { None }
        }
        _ => None,
    }
}

fn held(holds: bool) -> Plain {
    if holds { Plain::Holds } else { Plain::Fails }
}

fn plain_call(call: Node<'_>, source: &str) -> Option<Plain> {
    let given = call.child_by_field_name("arguments").map(syntax::children).unwrap_or_default();
    let truth = || given.iter().find_map(|n| constant(*n, source));
    match syntax::field(call, "name", source) {
        "fail" => Some(Plain::Fails),
        "abort" => Some(Plain::Skips),
        "assertTrue" => Some(held(truth()?)),
        "assertFalse" => Some(held(!truth()?)),
        "assumeTrue" if !truth()? => Some(Plain::Skips),
        "assumeFalse" if truth()? => Some(Plain::Skips),
        "assertEquals" | "assertSame" => Some(held(same_literals(&given, source)?)),
        "assertNotEquals" | "assertNotSame" => Some(held(!same_literals(&given, source)?)),
        "assertNull" => given.iter().any(|n| n.kind() == "null_literal").then_some(Plain::Holds),
        _ => None,
    }
}

/// Whether the two values of a comparison are the same, where both are literals.
fn same_literals(given: &[Node<'_>], source: &str) -> Option<bool> {
    let [left, right] = given else {
        return None;
    };
    let literal = |n: &Node<'_>| n.kind().ends_with("_literal") || is_truth(n);
    (literal(left) && literal(right))
        .then(|| syntax::text(*left, source) == syntax::text(*right, source))
}

fn is_truth(node: &Node<'_>) -> bool {
    matches!(node.kind(), "true" | "false")
}

/// The truth of an expression of literals alone.
fn constant(node: Node<'_>, source: &str) -> Option<bool> {
    match node.kind() {
        "true" => Some(true),
        "false" => Some(false),
        "parenthesized_expression" => constant(node.named_child(0)?, source),
        "unary_expression" if syntax::field(node, "operator", source) == "!" => {
            Some(!constant(node.child_by_field_name("operand")?, source)?)
        }
        "binary_expression" => {
            let sides = [node.child_by_field_name("left")?, node.child_by_field_name("right")?];
            let same = same_literals(&sides, source)?;
            match syntax::field(node, "operator", source) {
                "==" => Some(same),
                "!=" => Some(!same),
                _ => None,
            }
        }
        _ => None,
    }
}

fn leaves(statement: Node<'_>) -> bool {
    let mut found = false;
    let inside = |n: Node<'_>| !matches!(n.kind(), "lambda_expression" | "class_body");
    syntax::walk(statement, &inside, &mut |n| found |= n.kind() == "return_statement");
    found
}

/// Whether something in here could fail the test on purpose. Methods of the same file are followed.
fn has_checks(node: Node<'_>, source: &str, methods: &Methods<'_>, depth: u8) -> bool {
    let mut found = false;
    syntax::walk(node, &|_| true, &mut |n| match n.kind() {
        "assert_statement" => {
            let condition = n.named_child(0).and_then(|c| constant(c, source));
            found |= condition != Some(true);
        }
        "throw_statement" => found = true,
        "method_invocation" => found |= is_check(n, source, methods, depth),
        _ => {}
    });
    found
}

fn is_check(call: Node<'_>, source: &str, methods: &Methods<'_>, depth: u8) -> bool {
    let name = syntax::field(call, "name", source);
    let own = matches!(syntax::field(call, "object", source), "" | "this");
    if let Some(method) = methods.get(name).filter(|_| own) {
        let body = method.child_by_field_name("body");
        return depth > 0 && body.is_some_and(|b| has_checks(b, source, methods, depth - 1));
    }
    if matches!(plain_call(call, source), Some(Plain::Holds)) {
        return false;
    }
    let lower = name.to_lowercase();
    name == "fail" || CHECK_WORDS.iter().any(|word| lower.contains(word))
}
