//! What one statement of a Java test says: how it ends, whether it checks something.

use super::checks::arguments;
use crate::shape::{self, Plain, Statements};
use crate::syntax::{field, listed, nodes, text};
use crate::test_model::{Role, TestModel};
use proctor_core::item::Shape;
use tree_sitter::Node;

/// How many methods deep a check may lie.
const DEPTH: u8 = 3;

pub(crate) fn of_body(method: Node<'_>, model: &TestModel<'_>) -> Shape {
    shape::of(&listed(method, "body"), &Java(model))
}

struct Java<'m>(&'m TestModel<'m>);

impl Statements for Java<'_> {
    fn plain(&self, statement: Node<'_>) -> Option<Plain> {
        let source = self.0.source;
        match statement.kind() {
            "assert_statement" => Some(Plain::held(constant(statement.named_child(0)?, source)?)),
            "throw_statement" => {
                let text = text(statement, source);
                let skips = text.contains("TestAborted")
                    || text.contains("AssumptionViolated")
                    || text.contains("SkipException");
                Some(if skips { Plain::Skips } else { Plain::Fails })
            }
            "expression_statement" => {
                let call = statement.named_child(0).filter(|n| n.kind() == "method_invocation")?;
                // `assertThat(…).isTrue()` and other chains are no plain calls.
                let object = field(call, "object", source);
                let direct = object.chars().all(|c| c.is_alphanumeric() || c == '.' || c == '_');
                if direct { plain_call(call, source) } else { None }
            }
            _ => None,
        }
    }

    fn checks(&self, node: Node<'_>) -> bool {
        self.has_checks(node, DEPTH)
    }

    fn leaves(&self, statement: Node<'_>) -> bool {
        self.0.leaves(statement)
    }
}

impl Java<'_> {
    /// Methods of the same file are followed.
    fn has_checks(&self, node: Node<'_>, depth: u8) -> bool {
        nodes(node).any(|n| match n.kind() {
            "assert_statement" => {
                n.named_child(0).and_then(|c| constant(c, self.0.source)) != Some(true)
            }
            "method_invocation" => self.is_check(n, depth),
            _ => self.0.is(n, Role::Fails),
        })
    }

    fn is_check(&self, call: Node<'_>, depth: u8) -> bool {
        let own = matches!(field(call, "object", self.0.source), "" | "this");
        let name = field(call, "name", self.0.source);
        if let Some(method) = self.0.functions.get(name).filter(|_| own) {
            let body = method.child_by_field_name("body");
            return depth > 0 && body.is_some_and(|b| self.has_checks(b, depth - 1));
        }
        self.0.is(call, Role::Check) && plain_call(call, self.0.source) != Some(Plain::Holds)
    }
}

fn plain_call(call: Node<'_>, source: &str) -> Option<Plain> {
    let given = arguments(call);
    let truth = || given.iter().find_map(|n| constant(*n, source));
    let same = || same_literals(&given, source);
    match field(call, "name", source) {
        "fail" => Some(Plain::Fails),
        "abort" => Some(Plain::Skips),
        "assertTrue" => Some(Plain::held(truth()?)),
        "assertFalse" => Some(Plain::held(!truth()?)),
        "assumeTrue" if !truth()? => Some(Plain::Skips),
        "assumeFalse" if truth()? => Some(Plain::Skips),
        "assertEquals" | "assertSame" => Some(Plain::held(same()?)),
        "assertNotEquals" | "assertNotSame" => Some(Plain::held(!same()?)),
        "assertNull" => given.iter().any(|n| n.kind() == "null_literal").then_some(Plain::Holds),
        _ => None,
    }
}

/// Whether the two values of a comparison are the same, where both are literals.
fn same_literals(given: &[Node<'_>], source: &str) -> Option<bool> {
    let [left, right] = given else { return None };
    let literal =
        |n: &Node<'_>| n.kind().ends_with("_literal") || matches!(n.kind(), "true" | "false");
    (literal(left) && literal(right)).then(|| text(*left, source) == text(*right, source))
}

/// The truth of an expression of literals alone.
fn constant(node: Node<'_>, source: &str) -> Option<bool> {
    match node.kind() {
        "true" => Some(true),
        "false" => Some(false),
        "parenthesized_expression" => constant(node.named_child(0)?, source),
        "unary_expression" if field(node, "operator", source) == "!" => {
            Some(!constant(node.child_by_field_name("operand")?, source)?)
        }
        "binary_expression" => {
            let sides = [node.child_by_field_name("left")?, node.child_by_field_name("right")?];
            let same = same_literals(&sides, source)?;
            match field(node, "operator", source) {
                "==" => Some(same),
                "!=" => Some(!same),
                _ => None,
            }
        }
        _ => None,
    }
}
