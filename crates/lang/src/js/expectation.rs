//! Which expressions are assertions, in the words of vitest, jest, chai, should, sinon, supertest and `node:assert`,
//! and which of those are settled by their literals alone. Follows no function.

use super::names::{Import, Imported, Names};
use super::script::{arguments, bare, chain, string};
use crate::shape::Plain;
use crate::syntax;
use crate::words::Words;
use tree_sitter::Node;

/// Modules whose exports are assertions: node's own in its forms, and others.
const NODE_ASSERT: Words =
    Words("assert node:assert assert/strict node:assert/strict power-assert");
const ASSERTING: Words = Words("chai should uvu/assert ts-mockito");

const EQUALITY: Words =
    Words("toBe toEqual toStrictEqual equal equals eql eq strictEqual deepEqual deepStrictEqual");

const INEQUALITY: Words = Words("notEqual notStrictEqual notDeepEqual notDeepStrictEqual");

/// Calls that end the test as failed.
pub(crate) fn fails(words: &[&str]) -> bool {
    match words {
        ["fail"] | ["expect", "unreachable"] => true,
        [.., root, "fail"] => matches!(*root, "assert" | "expect" | "should" | "done"),
        _ => false,
    }
}

/// `expectTotal`, `assert_ok`, `checkCart`: a name that says what it does.
pub(crate) fn starts_like_a_check(name: &str) -> bool {
    ["expect", "assert", "check", "verify", "should", "ensure"]
        .iter()
        .any(|word| is_word_start(name, word))
}

fn is_word_start(name: &str, word: &str) -> bool {
    name.strip_prefix(word)
        .is_some_and(|rest| rest.chars().next().is_none_or(|c| c.is_uppercase() || c == '_'))
}

/// `expect(…)` and `expectTypeOf(…)`, whatever they are called here.
fn is_expect(name: &str, names: &Names<'_>) -> bool {
    let original = names.only_import(name).map(|i| &i.what);
    let name = match original {
        Some(Imported::Named(original)) => original,
        _ => name,
    };
    matches!(name, "expect" | "expectTypeOf" | "expectType")
}

/// What an expectation is about: `x` in `expect(x).not.toBe(1)`.
fn subject<'t>(node: Node<'t>, source: &str, names: &Names<'_>) -> Option<Node<'t>> {
    let node = bare(node);
    match node.kind() {
        "member_expression" => subject(node.child_by_field_name("object")?, source, names),
        "call_expression" => {
            let function = bare(node.child_by_field_name("function")?);
            let root = match chain(function, source).as_slice() {
                [root] => function.kind() == "identifier" && is_expect(root, names),
                [root, "soft" | "poll" | "element"] => is_expect(root, names),
                _ => false,
            };
            if root { arguments(node).first().copied() } else { subject(function, source, names) }
        }
        _ => None,
    }
}

/// chai's assertions without brackets: `expect(x).to.be.true`, the whole of it.
pub(crate) fn is_property_check(node: Node<'_>, source: &str, names: &Names<'_>) -> bool {
    let goes_on =
        node.parent().is_some_and(|p| matches!(p.kind(), "member_expression" | "call_expression"));
    !goes_on && node.kind() == "member_expression" && subject(node, source, names).is_some()
}

/// Whether a call is an assertion by its words.
pub(crate) fn is_check(call: Node<'_>, source: &str, names: &Names<'_>) -> bool {
    let words = chain(call, source);
    let function = call.child_by_field_name("function").map(bare);
    if function.is_some_and(|f| subject(f, source, names).is_some()) {
        return true;
    }
    let Some((last, before)) = words.split_last() else {
        // `request(app).get('/').expect(200)` starts at a call, `[1].should` at a literal.
        return function.is_some_and(|f| syntax::field(f, "property", source) == "expect");
    };
    let root = before.first().copied().unwrap_or(last);
    if is_expect(root, names) {
        return match before {
            // `expect(x)` alone asks for nothing.
            [] => false,
            [_] => {
                matches!(*last, "assertions" | "hasAssertions" | "fail" | "unreachable" | "assert")
            }
            _ => before.contains(&"assert"),
        };
    }
    if root == "console" {
        return false;
    }
    let of = |i: &Import| NODE_ASSERT.has(&i.specifier) || ASSERTING.has(&i.specifier);
    let module = names.only_import(root).is_some_and(of);
    let by_name = words.iter().any(|w| is_word_start(w, "assert"))
        || is_word_start(last, "expect")
        || matches!(words.as_slice(), ["should", ..] | [_, "plan"])
        || words.contains(&"should");
    module || by_name
}

/// An assertion that its literals settle.
pub(crate) fn judged(node: Node<'_>, source: &str, names: &Names<'_>) -> Option<Plain> {
    let words = chain(node, source);
    let given = if node.kind() == "call_expression" { arguments(node) } else { Vec::new() };
    let about = match node.kind() {
        "call_expression" => subject(node.child_by_field_name("function")?, source, names),
        "member_expression" => subject(node, source, names),
        _ => return None,
    };
    let holds = if let Some(about) = about {
        let holds = settled(words.last()?, about, given.first().copied(), source)?;
        holds != words.contains(&"not")
    } else {
        let words = assert_words(&words, names)?;
        let first = given.first().copied()?;
        match words.as_slice() {
            [] | ["ok" | "isOk"] => truth(first, source)?,
            ["isNotOk"] => !truth(first, source)?,
            ["isTrue"] => literal(first, source)? == "true",
            ["isFalse"] => literal(first, source)? == "false",
            ["strict", word] | [word] => settled(word, first, given.get(1).copied(), source)?,
            _ => return None,
        }
    };
    Some(Plain::held(holds))
}

/// What is said about `assert`: `equal` of `assert.equal`, `t.assert.equal`, or an imported `equal`.
fn assert_words<'s>(words: &[&'s str], names: &'s Names<'_>) -> Option<Vec<&'s str>> {
    let root = *words.first()?;
    if root == "console" {
        return None;
    }
    if let Some(import) = names.only_import(root)
        && NODE_ASSERT.has(&import.specifier)
    {
        let mut rest = match &import.what {
            Imported::Named(name) if name != "strict" && name != "assert" => vec![name.as_str()],
            Imported::Named(_) | Imported::Default | Imported::Whole => Vec::new(),
        };
        rest.extend(&words[1..]);
        return Some(rest);
    }
    let at = words.iter().position(|w| *w == "assert")?;
    Some(words[at + 1..].to_vec())
}

/// The end of a comparison of literals, or of a thing with itself.
fn settled(word: &str, about: Node<'_>, other: Option<Node<'_>>, source: &str) -> Option<bool> {
    if EQUALITY.has(word) || INEQUALITY.has(word) {
        let wanted = EQUALITY.has(word);
        let other = other?;
        if let (Some(one), Some(two)) = (literal(about, source), literal(other, source)) {
            return Some((one == two) == wanted);
        }
        return (wanted && is_same(about, other, source)).then_some(true);
    }
    Some(match word {
        "toBeTruthy" | "ok" => truth(about, source)?,
        "toBeFalsy" => !truth(about, source)?,
        "toBeTrue" | "true" => literal(about, source)? == "true",
        "toBeFalse" | "false" => literal(about, source)? == "false",
        "toBeNull" | "null" => literal(about, source)? == "null",
        "toBeUndefined" | "undefined" => literal(about, source)? == "undefined",
        "toBeDefined" => literal(about, source)? != "undefined",
        _ => return None,
    })
}

/// The same expression twice, with nothing in it that could give two values.
fn is_same(one: Node<'_>, two: Node<'_>, source: &str) -> bool {
    let moves = Words("call_expression new_expression await_expression");
    !syntax::nodes(one).any(|n| moves.has(n.kind()))
        && syntax::folded(syntax::text(one, source)) == syntax::folded(syntax::text(two, source))
}

/// A literal in one spelling, strings in quotes.
fn literal(node: Node<'_>, source: &str) -> Option<String> {
    let node = bare(node);
    if let Some(text) = string(node, source) {
        return Some(format!("\"{text}\""));
    }
    let text = syntax::text(node, source);
    match node.kind() {
        "true" | "false" | "null" | "undefined" => Some(text.to_owned()),
        "number" => Some(number(text)),
        "unary_expression" => {
            let inner = node.child_by_field_name("argument")?;
            match (syntax::field(node, "operator", source), inner.kind()) {
                ("-", "number") => Some(format!("-{}", number(syntax::text(inner, source)))),
                ("!", _) => Some((!truth(inner, source)?).to_string()),
                _ => None,
            }
        }
        "binary_expression" => {
            let side = |name| literal(node.child_by_field_name(name)?, source);
            let (left, right) = (side("left")?, side("right")?);
            match syntax::field(node, "operator", source) {
                "===" => Some((left == right).to_string()),
                "!==" => Some((left != right).to_string()),
                _ => None,
            }
        }
        _ => None,
    }
}

fn number(text: &str) -> String {
    text.parse::<f64>().map_or_else(|_| text.to_owned(), |n| n.to_string())
}

fn truth(node: Node<'_>, source: &str) -> Option<bool> {
    let literal = literal(node, source)?;
    Some(!matches!(literal.as_str(), "false" | "null" | "undefined" | "0" | "-0" | "\"\""))
}
