//! What the annotations of a test mean for its copies: where its rows come from, which exception it must end with, what may
//! stand only once.

use super::{annotations, mentions, neighbours};
use crate::observe::{Source, put};
use proctor_lang::Edit;
use proctor_lang::java::checks::arguments;
use proctor_lang::syntax::{children, field, nodes_into, text};
use tree_sitter::Node;

pub(super) struct Marks<'t> {
    all: Vec<Node<'t>>,
    /// The class of the exception that `JUnit` 4 expects of the whole test, as it is written.
    pub(super) expected: Option<String>,
}

impl<'t> Marks<'t> {
    pub(super) fn of(method: Node<'t>, source: &str) -> Self {
        let all = annotations(method);
        let named = |n: &&Node<'_>| name(**n, source) == "Test";
        let pair = all.iter().find(named).and_then(|mark| expected(*mark, source));
        let value = pair.and_then(|p| p.child_by_field_name("value"));
        let value = value.or_else(|| expected_by_rule(method, source));
        Self { all, expected: value.map(|v| text(v, source).to_owned()) }
    }

    fn named<'s>(
        &'s self,
        wanted: &'s str,
        source: &'s str,
    ) -> impl Iterator<Item = Node<'t>> + 's {
        self.all.iter().copied().filter(move |n| name(*n, source) == wanted)
    }

    /// The method that gives the rows, where it stands beside the test and nobody else uses it.
    pub(super) fn rows_beside(&self, method: Node<'t>, source: &Source<'_>) -> Option<Node<'t>> {
        let wanted = self.rows(method, source.text)?;
        let is_it = |n: &Node<'_>| {
            n.kind() == "method_declaration" && field(*n, "name", source.text) == wanted
        };
        let beside = neighbours(method).find(is_it)?;
        // Its own name, and where the test names it or is called the same.
        (mentions(source, &wanted) == 2 && field(beside, "type", source.text) != "void")
            .then_some(beside)
    }

    /// The name of the one method that gives the rows.
    fn rows(&self, method: Node<'_>, source: &str) -> Option<String> {
        let mark = self.named("MethodSource", source).next()?;
        let Some(list) = mark.child_by_field_name("arguments") else {
            return Some(field(method, "name", source).to_owned());
        };
        match children(list).as_slice() {
            [one] if one.kind() == "string_literal" => {
                Some(text(*one, source).trim_matches('"').to_owned())
            }
            [] => Some(field(method, "name", source).to_owned()),
            _ => None,
        }
    }

    /// What is other in the annotations of a copy.
    pub(super) fn edits(&self, method: Node<'t>, source: &Source<'_>, suffix: &str) -> Vec<Edit> {
        let mut found = Vec::new();
        for mark in self.named("Override", source.text) {
            found.push(put(mark.start_byte(), mark.end_byte(), ""));
        }
        for mark in self.named("Test", source.text) {
            found.extend(without_expected(mark, source.text));
        }
        let beside = self.rows_beside(method, source);
        let suffix = if beside.is_some() { suffix } else { "" };
        for mark in self.named("MethodSource", source.text) {
            let own = field(method, "name", source.text);
            let list = mark.child_by_field_name("arguments");
            let given = list.map(children).unwrap_or_default();
            match (given.as_slice(), list) {
                // The rows have the name of the test, which a copy has not.
                ([], Some(list)) => {
                    let text = format!("(\"{own}{suffix}\")");
                    found.push(put(list.start_byte(), list.end_byte(), text));
                }
                ([], None) => {
                    let text = format!("(\"{own}{suffix}\")");
                    found.push(put(mark.end_byte(), mark.end_byte(), text));
                }
                ([one], _) => {
                    let at = one.end_byte() - 1;
                    found.push(put(at, at, suffix));
                }
                _ => {}
            }
        }
        if let Some(name) = beside.and_then(|rows| rows.child_by_field_name("name")) {
            found.push(put(name.end_byte(), name.end_byte(), suffix));
        }
        found
    }
}

/// The bare name of an annotation.
fn name<'s>(mark: Node<'_>, source: &'s str) -> &'s str {
    let name = field(mark, "name", source);
    name.rsplit('.').next().unwrap_or(name)
}

/// `expected = X.class`.
fn expected<'t>(mark: Node<'t>, source: &str) -> Option<Node<'t>> {
    let pairs = mark.child_by_field_name("arguments").map(children).unwrap_or_default();
    pairs.into_iter().find(|p| field(*p, "key", source) == "expected")
}

/// The class in `thrown.expect(X.class)`, where a rule watches the test.
fn expected_by_rule<'t>(method: Node<'t>, source: &str) -> Option<Node<'t>> {
    if !source.contains("ExpectedException") {
        return None;
    }
    let expects =
        |n: &Node<'_>| n.kind() == "method_invocation" && field(*n, "name", source) == "expect";
    let first = |n: Node<'t>| arguments(n).first().copied().filter(|a| a.kind() == "class_literal");
    nodes_into(method, |n| n.kind() != "lambda_expression").filter(expects).find_map(first)
}

/// Takes the expectation out of a mark, with a comma beside it.
fn without_expected(mark: Node<'_>, source: &str) -> Option<Edit> {
    let pair = expected(mark, source)?;
    let list = mark.child_by_field_name("arguments").map(children).unwrap_or_default();
    let at = list.iter().position(|n| *n == pair)?;
    let (from, to) = match (list.get(at + 1), at.checked_sub(1).and_then(|n| list.get(n))) {
        (Some(next), _) => (pair.start_byte(), next.start_byte()),
        (None, Some(before)) => (before.end_byte(), pair.end_byte()),
        (None, None) => (pair.start_byte(), pair.end_byte()),
    };
    Some(put(from, to, ""))
}
