//! Flipped twins of `JUnit` tests: its own assertions, at the level of the test's own statements.

use super::change::Reach;
use super::twins::{Rank, Twins};
use proctor_lang::edit::Edit;
use proctor_lang::syntax;
use proctor_lang::{Language, test_at};
use tree_sitter::Node;

const OPPOSITES: [(&str, &str); 8] = [
    ("assertTrue", "assertFalse"),
    ("assertFalse", "assertTrue"),
    ("assertNull", "assertNotNull"),
    ("assertNotNull", "assertNull"),
    ("assertNotEquals", "assertEquals"),
    ("assertEquals", "assertNotEquals"),
    ("assertSame", "assertNotSame"),
    ("assertNotSame", "assertSame"),
];

pub(super) fn flips(source: &str, line: u32) -> Vec<Edit> {
    let mut twins = Twins::new(source, Language::Java);
    let Some(parsed) = Language::Java.parse(source) else {
        return Vec::new();
    };
    let Some(body) = test_at(Language::Java, parsed.root_node(), source, line)
        .and_then(|m| m.child_by_field_name("body"))
    else {
        return Vec::new();
    };
    for statement in syntax::children(body) {
        let call = statement.named_child(0).filter(|n| n.kind() == "method_invocation");
        match (statement.kind(), call) {
            ("expression_statement", Some(call)) => assertion(&mut twins, source, call),
            _ if ends(statement) => break,
            _ => {}
        }
    }
    twins.done()
}

fn assertion(twins: &mut Twins<'_>, source: &str, call: Node<'_>) {
    let object = syntax::field(call, "object", source);
    let Some(name) = call.child_by_field_name("name").filter(|_| {
        object.is_empty() || object.ends_with("Assert") || object.ends_with("Assertions")
    }) else {
        return;
    };
    let given = call.child_by_field_name("arguments").map(syntax::children).unwrap_or_default();
    let word = twins.text(name);
    if !given.iter().any(|n| depends(*n)) {
        return;
    }
    // The older one takes its text first, the newer one last: a text is only changed where there is none.
    let reach = if given.len() == 2 { Reach::Next } else { Reach::Far };
    let by_value = match (word, given.as_slice()) {
        ("assertEquals", [left, right] | [left, right, _]) => {
            let plain = given.len() == 2
                || proctor_lang::literal::kind(*left) == Some(proctor_lang::literal::Kind::Number);
            plain
                && ((depends(*right) && twins.value(*left, reach))
                    || (depends(*left) && twins.value(*right, reach)))
        }
        _ => false,
    };
    let opposite = OPPOSITES.iter().find(|(one, _)| *one == word);
    // What is imported by name alone may not be there under its opposite's.
    let there = |other: &str| {
        !object.is_empty()
            || source.contains("Assertions.*")
            || source.contains("Assert.*")
            || source.contains(other)
    };
    if let Some((_, other)) = opposite.filter(|(_, other)| !by_value && there(other)) {
        twins.replace(Rank::Turned, name.byte_range(), other);
    }
}

fn depends(node: Node<'_>) -> bool {
    let mut found = false;
    syntax::walk(node, &|_| true, &mut |n| {
        found |=
            matches!(n.kind(), "identifier" | "method_invocation" | "object_creation_expression");
    });
    found
}

fn ends(statement: Node<'_>) -> bool {
    let mut found = false;
    let inside = |n: Node<'_>| !matches!(n.kind(), "lambda_expression" | "class_body");
    syntax::walk(statement, &inside, &mut |n| found |= n.kind() == "return_statement");
    found
}
