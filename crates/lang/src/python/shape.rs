//! What one statement of a Python test says: how it ends, whether it checks something. And the marks that skip a test.

use crate::shape::{self, Plain, Statements};
use crate::syntax::{children, field, folded, listed, nodes, text};
use crate::test_model::{Role, TestModel};
use proctor_core::item::Shape;
use tree_sitter::Node;

/// `pytestmark = pytest.mark.skip`, or `pytest.skip(…, allow_module_level=True)` at the top.
pub(crate) fn module_is_skipped(root: Node<'_>, source: &str) -> bool {
    children(root).into_iter().any(|node| {
        let text = folded(text(node, source));
        let marked = text.starts_with("pytestmark")
            && text.split_once('=').is_some_and(|(_, mark)| is_skip_mark(mark));
        marked || (node.kind() == "expression_statement" && text.starts_with("pytest.skip("))
    })
}

/// Whether a decorator skips it or expects it to fail, whatever the platform.
pub(crate) fn is_marked_skipped(whole: Node<'_>, source: &str) -> bool {
    let marks = children(whole).into_iter().filter(|n| n.kind() == "decorator");
    marks.into_iter().any(|n| is_skip_mark(text(n, source).trim_start_matches('@')))
}

fn is_skip_mark(mark: &str) -> bool {
    let path =
        mark.trim().trim_start_matches('[').split(['(', ',', ']']).next().unwrap_or("").trim();
    matches!(path.rsplit('.').next(), Some("skip" | "xfail" | "expectedFailure"))
}

pub(crate) fn of_body(function: Node<'_>, model: &TestModel<'_>) -> Shape {
    shape::of(&listed(function, "body"), &Python(model))
}

struct Python<'m>(&'m TestModel<'m>);

impl Statements for Python<'_> {
    fn plain(&self, statement: Node<'_>) -> Option<Plain> {
        let source = self.0.source;
        match statement.kind() {
            "assert_statement" => Some(Plain::held(constant(statement.named_child(0)?, source)?)),
            "raise_statement" => {
                let text = text(statement, source);
                let skips = text.contains("SkipTest") || text.contains("skip.Exception");
                Some(if skips { Plain::Skips } else { Plain::Fails })
            }
            "expression_statement" => {
                let call = statement.named_child(0).filter(|n| n.kind() == "call")?;
                match field(call, "function", source) {
                    "pytest.fail" | "self.fail" => Some(Plain::Fails),
                    "pytest.skip" | "self.skipTest" | "pytest.xfail" => Some(Plain::Skips),
                    name @ ("self.assertTrue" | "self.assertFalse") => {
                        let first = call.child_by_field_name("arguments")?.named_child(0)?;
                        Some(Plain::held(constant(first, source)? == name.ends_with("True")))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn checks(&self, node: Node<'_>) -> bool {
        self.has_checks(node, true)
    }

    fn leaves(&self, statement: Node<'_>) -> bool {
        self.0.leaves(statement)
    }
}

impl Python<'_> {
    /// An `assert` that does not hold by itself.
    fn asks(&self, node: Node<'_>) -> bool {
        node.kind() == "assert_statement"
            && node.named_child(0).and_then(|c| constant(c, self.0.source)) != Some(true)
    }

    /// Whether a call is no statement whose end is known.
    fn is_open(&self, call: Node<'_>) -> bool {
        self.plain(call.parent().unwrap_or(call)).is_none()
    }

    /// Functions of the same file are followed one step.
    fn has_checks(&self, node: Node<'_>, follow: bool) -> bool {
        nodes(node).any(|n| match n.kind() {
            "call" => self.is_check(n, follow),
            _ => self.asks(n) || self.0.is(n, Role::Fails),
        })
    }

    fn is_check(&self, call: Node<'_>, follow: bool) -> bool {
        if self.0.is(call, Role::Expects) {
            return true;
        }
        let function = field(call, "function", self.0.source);
        let name = function.rsplit('.').next().unwrap_or(function);
        let own = function == name || function.strip_prefix("self.") == Some(name);
        let helper = self.0.functions.get(name).filter(|_| own && follow);
        let body = helper.and_then(|helper| helper.child_by_field_name("body"));
        match (self.0.is(call, Role::Check), body) {
            (true, Some(body)) => self.has_checks(body, false),
            (true, None) => self.is_open(call),
            // A function of the same file under another name counts if it asserts outright.
            (false, body) => body.is_some_and(|body| {
                nodes(body).any(|n| self.asks(n) || self.0.is(n, Role::Outright) && self.is_open(n))
            }),
        }
    }
}

/// The truth of an expression of literals alone.
fn constant(node: Node<'_>, source: &str) -> Option<bool> {
    match node.kind() {
        "true" => Some(true),
        "false" | "none" => Some(false),
        "integer" => Some(!text(node, source).trim_start_matches('0').is_empty()),
        "string" => Some(!text(node, source).trim_matches(['"', '\'']).is_empty()),
        "parenthesized_expression" => constant(node.named_child(0)?, source),
        "not_operator" => Some(!constant(node.child_by_field_name("argument")?, source)?),
        "comparison_operator" => {
            let sides = children(node);
            let literal = sides.iter().all(|n| {
                matches!(n.kind(), "integer" | "float" | "string" | "true" | "false" | "none")
            });
            let [left, right] = sides.as_slice() else { return None };
            let equal = text(*left, source) == text(*right, source);
            match (literal, source.get(left.end_byte()..right.start_byte())?.trim()) {
                (true, "==" | "is") => Some(equal),
                (true, "!=" | "is not") => Some(!equal),
                _ => None,
            }
        }
        _ => None,
    }
}
