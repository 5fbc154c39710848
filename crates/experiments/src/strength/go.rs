//! Go tests: where one stands, and which of its statements are assertions: an `if` that fails the test, or a call of
//! testify and its like.

use super::around::is_conditional;
use super::claims::{Holds, Same, about, claims};
use super::force::{Claim, Force, Message, Side};
use super::loops::note_loops;
use super::model::{Found, Mock, Source, Test, Whole, call_of, short};
use super::scope::Scope;
use super::tokens::{Token, number};
use proctor_lang::syntax;
use tree_sitter::Node;

const FAILING: [&str; 6] = ["Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"];

pub(super) fn test_at<'t>(source: &Source<'t>, line: u32) -> Option<Whole<'t>> {
    let at_line = |n: &Node<'t>| {
        matches!(n.kind(), "function_declaration" | "method_declaration")
            && syntax::line(*n) == line
    };
    let node = syntax::children(source.root).into_iter().find(at_line)?;
    let body = node.child_by_field_name("body")?;
    Some(Whole { node, body, marks: Vec::new() })
}

pub(super) fn found(source: &Source<'_>, node: Node<'_>, scope: &Scope) -> Found {
    match node.kind() {
        "if_statement" if fails(source, node) => {
            let condition = source.field(node, "condition");
            let at =
                node.child_by_field_name("condition").map_or(node.start_byte(), |c| c.start_byte());
            let made = claims(&scope.resolved(condition, at), Holds::False);
            Found::Claims(made.into_iter().map(|c| (c, Mock::Real)).collect())
        }
        "call_expression" => call(source, node, scope),
        _ => Found::Nothing,
    }
}

/// Whether the branch of an `if` says that the test failed.
fn fails(source: &Source<'_>, node: Node<'_>) -> bool {
    let Some(branch) = node.child_by_field_name("consequence") else {
        return false;
    };
    let mut statements = syntax::children(branch);
    if let [list] = statements.as_slice()
        && list.kind() == "statement_list"
    {
        statements = syntax::children(*list);
    }
    statements.into_iter().any(|s| {
        let call = s
            .named_child(0)
            .filter(|c| s.kind() == "expression_statement" && c.kind() == "call_expression");
        call.is_some_and(|call| {
            let function = source.field(call, "function");
            let (holder, name) = function.rsplit_once('.').unwrap_or(("", function));
            (FAILING.contains(&name)
                && !holder.is_empty()
                && holder != "fmt"
                && holder != "errors"
                && holder != "log")
                || function == "panic"
        })
    })
}

fn call(source: &Source<'_>, node: Node<'_>, scope: &Scope) -> Found {
    let (name, given) = call_of(source, node);
    let function = source.field(node, "function");
    let holder = function.rsplit_once('.').map_or("", |(h, _)| h);
    if !matches!(holder, "assert" | "require" | "is" | "a" | "r" | "c" | "s" | "suite")
        && !holder.ends_with("Require()")
        && !holder.ends_with("Assert()")
    {
        return Found::Call(name, given);
    }
    let mut values: Vec<Vec<Token>> =
        given.iter().map(|a| scope.resolved(a, node.start_byte())).collect();
    if given
        .first()
        .is_some_and(|g| matches!(g.as_str(), "t" | "tt" | "b" | "tb") || g.ends_with(".T()"))
    {
        values.remove(0);
    }
    let (Some(first), second) = (values.first(), values.get(1).cloned().unwrap_or_default()) else {
        return Found::Call(name, given);
    };
    let nothing = || super::tokens::tokens("nil");
    let is_literal = super::tokens::is_literal;
    // What is expected comes first there.
    let equal = |same| {
        if is_literal(&second) { about(first, &second, same) } else { about(&second, first, same) }
    };
    let ordered = |side| (first.clone(), Force::Ordered { side, bound: number(&second) });
    let approx = || {
        let by = values.get(2).and_then(|v| number(v)).unwrap_or(0.0);
        let subject = if is_literal(&second) { first } else { &second };
        (subject.clone(), Force::Approx { slack: vec![("by".to_owned(), by)] })
    };
    let raised =
        |message| (first.clone(), Force::Raises { kinds: vec!["error".to_owned()], message });
    let made: Vec<Claim> = match name.trim_end_matches('f') {
        "Equal" | "EqualValues" | "Exactly" | "Same" | "JSONEq" | "ElementsMatch" | "YAMLEq" => {
            vec![equal(Same::Yes)]
        }
        "NotEqual" | "NotSame" => vec![equal(Same::No)],
        "True" => claims(first, Holds::True),
        "False" => claims(first, Holds::False),
        "Nil" | "NoError" => vec![(first.clone(), Force::Equal { expected: nothing() })],
        "NotNil" | "NotEmpty" | "NotZero" => vec![(first.clone(), Force::Present)],
        "Empty" | "Zero" => {
            vec![(first.clone(), Force::Equal { expected: super::tokens::tokens("0") })]
        }
        "Len" => vec![(first.clone(), Force::Equal { expected: second })],
        "Contains" | "Subset" | "Regexp" | "NotContains" => vec![(first.clone(), Force::Contains)],
        "Greater" => vec![ordered(Side::Above)],
        "GreaterOrEqual" => vec![ordered(Side::AtLeast)],
        "Less" => vec![ordered(Side::Below)],
        "LessOrEqual" => vec![ordered(Side::AtMost)],
        "InDelta" | "InEpsilon" => vec![approx()],
        "Error" | "Panics" => vec![raised(Message::Any)],
        "ErrorIs" | "ErrorAs" | "EqualError" | "ErrorContains" | "PanicsWithValue"
        | "PanicsWithError" => vec![raised(Message::Asked)],
        "IsType" | "Implements" => vec![(second, Force::Instance)],
        _ => vec![(first.clone(), Force::Unknown)],
    };
    Found::Claims(made.into_iter().map(|c| (c, Mock::Real)).collect())
}

pub(super) fn finish(source: &Source<'_>, whole: &Whole<'_>, test: &mut Test) {
    syntax::walk(whole.body, &|_| true, &mut |node| {
        if node.kind() == "call_expression" {
            let function = source.field(node, "function");
            let (holder, name) = function.rsplit_once('.').unwrap_or(("", function));
            let skips = !holder.is_empty() && matches!(name, "Skip" | "Skipf" | "SkipNow");
            if skips && !is_conditional(source, node, whole.body) {
                test.marks.insert(short(source.str(node)));
            }
        }
    });
    let mut scope = Scope::default();
    for node in syntax::children(source.root).into_iter().filter(|n| n.kind() == "var_declaration")
    {
        scope.read(source.language, node, source.text);
    }
    scope.read(source.language, whole.body, source.text);
    note_loops(source, whole.body, &scope, test);
}
