//! What one statement of a Rust test says: how it ends, whether it checks something.

use crate::shape::{self, Plain, Statements, is_literal};
use crate::syntax::{children, field, folded, listed, nodes, text};
use crate::test_model::{Role, TestModel};
use proctor_core::item::Shape;
use tree_sitter::Node;

pub(crate) fn of(function: Node<'_>, attributes: &[&str], model: &TestModel<'_>) -> Shape {
    let has = |name: &str| attributes.iter().any(|a| super::attribute_name(a) == name);
    if has("ignore") {
        return Shape::Skipped;
    }
    shape::of(&listed(function, "body"), &Rust { model, panics: has("should_panic") })
}

struct Rust<'m> {
    model: &'m TestModel<'m>,
    panics: bool,
}

impl Statements for Rust<'_> {
    fn plain(&self, statement: Node<'_>) -> Option<Plain> {
        let inner = match statement.kind() {
            "expression_statement" => statement.named_child(0)?,
            _ => statement,
        };
        if self.model.is(inner, Role::Fails) {
            return Some(Plain::Fails);
        }
        if inner.kind() != "macro_invocation" {
            return None;
        }
        let path = field(inner, "macro", self.model.source);
        let name = path.rsplit("::").next().unwrap_or(path);
        let arguments = arguments(inner, self.model.source);
        match (name.strip_prefix("debug_").unwrap_or(name), arguments.as_slice()) {
            ("assert", [first, ..]) if matches!(first.as_str(), "true" | "false") => {
                Some(Plain::held(first == "true"))
            }
            (name @ ("assert_eq" | "assert_ne"), [a, b, ..]) if is_literal(a) && is_literal(b) => {
                Some(Plain::held((a == b) == (name == "assert_eq")))
            }
            _ => None,
        }
    }

    fn checks(&self, node: Node<'_>) -> bool {
        self.has_checks(node, true) || self.panics && self.model.any(node, Role::Risk)
    }

    fn leaves(&self, statement: Node<'_>) -> bool {
        self.model.leaves(statement)
    }

    fn must_fail(&self) -> bool {
        self.panics
    }
}

impl Rust<'_> {
    /// An assertion, and not only something that might panic.
    fn asserts(&self, node: Node<'_>) -> bool {
        self.model.is(node, Role::Outright) && self.plain(node) != Some(Plain::Holds)
    }

    /// Functions of the same file are followed one step.
    fn has_checks(&self, node: Node<'_>, follow: bool) -> bool {
        nodes(node).any(|n| match n.kind() {
            "macro_invocation" => self.asserts(n) || self.model.is(n, Role::Fails),
            "try_expression" => n.named_child(0).is_some_and(|n| self.model.any(n, Role::Risk)),
            "call_expression" => self.is_check(n, follow),
            _ => false,
        })
    }

    /// Whether a function stands among tests: production code may assert for reasons of its own.
    fn is_of_the_tests(&self, function: Node<'_>) -> bool {
        let source = self.model.source;
        let before = source.get(..function.start_byte()).unwrap_or_default();
        let mixed = source.contains("#[cfg(test)]") || source.contains("pub fn ");
        before.contains("#[cfg(test)]") || !mixed
    }

    fn is_check(&self, call: Node<'_>, follow: bool) -> bool {
        let Some(function) = call.child_by_field_name("function") else { return false };
        let named = self.model.is(call, Role::Check);
        if self.model.is(call, Role::Expects) {
            let receiver = function.child_by_field_name("value");
            return receiver.is_some_and(|n| self.model.any(n, Role::Risk));
        }
        if function.kind() == "field_expression" {
            return named;
        }
        let path = text(function, self.model.source);
        let name = path.rsplit("::").next().unwrap_or(path);
        let helper = self.model.functions.get(name).copied().filter(|_| follow);
        match helper {
            Some(helper) if named => {
                listed(helper, "body").iter().any(|n| self.has_checks(*n, false))
            }
            // A function of the tests under another name counts if it asserts outright.
            Some(helper) if self.is_of_the_tests(helper) => {
                listed(helper, "body").into_iter().flat_map(nodes).any(|n| self.asserts(n))
            }
            _ => named,
        }
    }
}

/// A macro's arguments, split at the commas of its own level.
fn arguments(invocation: Node<'_>, source: &str) -> Vec<String> {
    let tree = children(invocation).into_iter().find(|n| n.kind() == "token_tree");
    let text = tree.map_or("", |n| text(n, source));
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
    split.map(folded).collect()
}
