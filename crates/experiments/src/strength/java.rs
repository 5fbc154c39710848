//! Java tests: where one stands, and which of its calls are assertions, in the words of `JUnit`.

use super::claims::{Holds, Same, about, claims};
use super::force::{Claim, Force, Message};
use super::loops::note_loops;
use super::model::{Found, Mock, Source, Test, Whole, short};
use super::scope::Scope;
use super::tokens::{Token, number, tokens};
use proctor_lang::syntax;
use tree_sitter::Node;

pub(super) fn test_at<'t>(source: &Source<'t>, line: u32) -> Option<Whole<'t>> {
    let mut found = None;
    syntax::walk(source.root, &|_| true, &mut |node| {
        if node.kind() == "method_declaration" && found.is_none() {
            let name = node.child_by_field_name("name");
            if syntax::line(node) == line || name.is_some_and(|n| syntax::line(n) == line) {
                found = node.child_by_field_name("body").map(|body| Whole {
                    node,
                    body,
                    marks: Vec::new(),
                });
            }
        }
    });
    found
}

pub(super) fn found(source: &Source<'_>, node: Node<'_>, scope: &Scope) -> Found {
    if node.kind() != "method_invocation" {
        return Found::Nothing;
    }
    let name = source.field(node, "name");
    let list = node.child_by_field_name("arguments").map(syntax::children).unwrap_or_default();
    let given: Vec<String> = list
        .into_iter()
        .filter(|n| !n.kind().contains("comment"))
        .map(|n| source.str(n).to_owned())
        .collect();
    let values: Vec<Vec<Token>> =
        given.iter().map(|a| scope.resolved(a, node.start_byte())).collect();
    if !name.starts_with("assert") || source.functions.contains_key(name) {
        return Found::Call(name.to_owned(), given);
    }
    let (Some(first), second) = (values.first(), values.get(1).cloned().unwrap_or_default()) else {
        return Found::Nothing;
    };
    let equal = |same| {
        if super::tokens::is_literal(&second) {
            about(first, &second, same)
        } else {
            about(&second, first, same)
        }
    };
    let made: Vec<Claim> = match name {
        "assertEquals" if values.get(2).is_some_and(|v| number(v).is_some()) => {
            let by = values.get(2).and_then(|v| number(v)).unwrap_or(0.0);
            vec![(equal(Same::Yes).0, Force::Approx { slack: vec![("by".to_owned(), by)] })]
        }
        "assertEquals" | "assertSame" | "assertArrayEquals" | "assertIterableEquals" => {
            vec![equal(Same::Yes)]
        }
        "assertNotEquals" | "assertNotSame" => vec![equal(Same::No)],
        "assertTrue" => claims(first, Holds::True),
        "assertFalse" => claims(first, Holds::False),
        "assertNull" => vec![(first.clone(), Force::Equal { expected: tokens("null") })],
        "assertNotNull" => vec![(first.clone(), Force::Present)],
        "assertInstanceOf" => vec![(second, Force::Instance)],
        "assertThrows" | "assertThrowsExactly" => {
            let kinds = first.first().map(|t| t.text.clone()).into_iter().collect();
            vec![(second, Force::Raises { kinds, message: Message::Any })]
        }
        _ => vec![(first.clone(), Force::Unknown)],
    };
    Found::Claims(made.into_iter().map(|c| (c, Mock::Real)).collect())
}

pub(super) fn finish(source: &Source<'_>, whole: &Whole<'_>, test: &mut Test) {
    for modifiers in syntax::children(whole.node).into_iter().filter(|n| n.kind() == "modifiers") {
        for mark in syntax::children(modifiers) {
            let written = source.str(mark);
            if written.starts_with("@Disabled") || written.starts_with("@Ignore") {
                test.marks.insert(short(written));
            }
        }
    }
    let mut scope = Scope::default();
    scope.read(source.language, whole.body, source.text);
    note_loops(source, whole.body, &scope, test);
}
