//! Conditions that a check asks for: they are asked as before, and hand on what they compare.

use super::sites::Sites;
use proctor_lang::Words;
use proctor_lang::java::checks::{arguments, is_plain};
use proctor_lang::syntax::{field, text};
use tree_sitter::Node;

impl<'t> Sites<'_, 't> {
    /// Takes a condition apart: what it compares, and what it says.
    pub(super) fn condition(&mut self, site: usize, node: Node<'t>, place: &mut usize) {
        let mut inner = node;
        while inner.kind() == "parenthesized_expression" {
            let Some(next) = inner.named_child(0) else { break };
            inner = next;
        }
        let sides = inner.child_by_field_name("left").zip(inner.child_by_field_name("right"));
        match (inner.kind(), sides) {
            ("unary_expression", _) if field(inner, "operator", self.source) == "!" => {
                if let Some(operand) = inner.child_by_field_name("operand") {
                    self.condition(site, operand, place);
                }
            }
            ("binary_expression", Some((left, right))) => {
                match field(inner, "operator", self.source) {
                    "&&" | "||" => {
                        self.condition(site, left, place);
                        self.condition(site, right, place);
                    }
                    _ => self.see_all(site, &[left, right], place),
                }
            }
            ("instanceof_expression", _) => {
                self.see_all(site, inner.child_by_field_name("left").as_slice(), place);
            }
            ("method_invocation", _) if is_question(inner, self.source) => {
                self.question(site, inner, place);
            }
            _ => self.see_all(site, &[inner], place),
        }
    }

    /// A call that only looks: of what it is asked, with what, and what it says.
    fn question(&mut self, site: usize, call: Node<'t>, place: &mut usize) {
        let object = call.child_by_field_name("object").filter(|o| is_value(*o, self.source));
        let parts: Vec<Node<'t>> = object.into_iter().chain(arguments(call)).collect();
        let last = *place + parts.len();
        self.put(call.start_byte(), format!("ob_s{site}.see({last}, "));
        self.see_all(site, &parts, place);
        self.put(call.end_byte(), ")");
        *place = last + 1;
    }

    /// Hands these on; what is made of literals alone comes last.
    fn see_all(&mut self, site: usize, nodes: &[Node<'t>], place: &mut usize) {
        let plain = |n: &Node<'t>| is_plain(*n, self.source);
        let mut order: Vec<usize> = (0..nodes.len()).collect();
        order.sort_by_key(|n| plain(&nodes[*n]));
        for (n, node) in nodes.iter().enumerate() {
            let at = order.iter().position(|o| *o == n).unwrap_or(n);
            self.see(site, *place + at, *node);
        }
        *place += nodes.len();
    }
}

/// Whether a condition asks for two values to be the same.
pub(super) fn compares(condition: Node<'_>, source: &str) -> bool {
    match condition.kind() {
        "parenthesized_expression" | "unary_expression" => {
            condition.named_child(0).is_some_and(|inner| compares(inner, source))
        }
        "binary_expression" => matches!(field(condition, "operator", source), "==" | "!="),
        _ => {
            condition.kind() == "method_invocation" && field(condition, "name", source) == "equals"
        }
    }
}

/// Questions that only look at what they are asked of.
const QUESTIONS: Words = Words(
    "contains containsAll containsKey containsValue contentEquals endsWith equals \
    equalsIgnoreCase hasNext isBlank isEmpty isNaN isPresent matches startsWith",
);

fn is_question(call: Node<'_>, source: &str) -> bool {
    QUESTIONS.has(field(call, "name", source)) && call.child_by_field_name("object").is_some()
}

/// Whether what a method is called on is a value, and no class or package.
fn is_value(node: Node<'_>, source: &str) -> bool {
    match node.kind() {
        "super" => false,
        "identifier" | "field_access" => {
            let last = text(node, source).rsplit('.').next().unwrap_or_default();
            last.starts_with(char::is_lowercase)
        }
        _ => true,
    }
}
