//! Python tests: where one stands, and which of its statements are assertions, in the words of pytest, unittest,
//! numpy and mock.

use super::around::is_conditional;
use super::claims::{Holds, Same, about, claims, slack};
use super::force::{Claim, Force, Message, Side};
use super::loops::{note_cases, note_loops};
use super::model::{Found, Mock, Source, Test, Whole, call_of, short};
use super::scope::Scope;
use super::tokens::{Kind, Token, depths, number, tokens};
use proctor_lang::syntax;
use tree_sitter::Node;

pub(super) fn test_at<'t>(source: &Source<'t>, line: u32) -> Option<Whole<'t>> {
    let mut found = None;
    syntax::walk(source.root, &|_| true, &mut |node| {
        if node.kind() == "function_definition" && found.is_none() {
            let whole =
                node.parent().filter(|p| p.kind() == "decorated_definition").unwrap_or(node);
            if syntax::line(node) == line || syntax::line(whole) == line {
                found = node.child_by_field_name("body").map(|body| Whole {
                    node: whole,
                    body,
                    marks: Vec::new(),
                });
            }
        }
    });
    found
}

pub(super) fn found(source: &Source<'_>, node: Node<'_>, scope: &Scope) -> Found {
    let at = node.start_byte();
    match node.kind() {
        "assert_statement" => {
            let condition = node.named_child(0).map_or("", |n| source.str(n));
            let made = claims(&scope.resolved(condition, at), Holds::True);
            Found::Claims(made.into_iter().flat_map(apart).map(with_mock).collect())
        }
        "with_statement" => {
            let mut raised = None;
            for clause in syntax::children(node).into_iter().filter(|n| n.kind() == "with_clause") {
                syntax::walk(clause, &|_| true, &mut |n| {
                    if n.kind() == "call" && raised.is_none() {
                        raised = exception(source, n, scope);
                    }
                });
            }
            match raised.or_else(|| by_variable(source, node, scope)) {
                Some(force) => {
                    let mut subject = scope.resolved(source.field(node, "body"), at);
                    subject.retain(|t| !t.is("assert"));
                    Found::Claims(vec![((subject, force), Mock::Real)])
                }
                None => Found::Nothing,
            }
        }
        "call" => call(source, node, scope),
        _ => Found::Nothing,
    }
}

/// `check = pytest.raises(E)` above, `with check:` here.
fn by_variable(source: &Source<'_>, with: Node<'_>, scope: &Scope) -> Option<Force> {
    let head = syntax::children(with).into_iter().find(|n| n.kind() == "with_clause")?;
    let words = scope.resolved(source.str(head), with.start_byte());
    let at = words.windows(2).position(|w| w[0].is("raises") && w[1].is("("))?;
    let end = words[at..].iter().position(|t| t.is(")")).map_or(words.len(), |end| at + end);
    Some(Force::Raises { kinds: last_names(&words[at + 2..end]), message: Message::Any })
}

/// `(a, b) == (1, 2)` are two assertions.
fn apart((subject, force): Claim) -> Vec<Claim> {
    let inner = |tokens: &[Token]| match tokens {
        [open, inner @ .., close]
            if (open.is("(") && close.is(")")) || (open.is("[") && close.is("]")) =>
        {
            let parts = super::tokens::split(inner, ",");
            Some(parts.into_iter().map(<[Token]>::to_vec).collect::<Vec<_>>())
        }
        _ => None,
    };
    if let Force::Equal { expected } = &force
        && let (Some(subjects), Some(values)) = (inner(&subject), inner(expected))
        && subjects.len() == values.len()
    {
        return subjects
            .into_iter()
            .zip(values)
            .map(|(s, expected)| (s, Force::Equal { expected }))
            .collect();
    }
    vec![(subject, force)]
}

fn with_mock(claim: Claim) -> (Claim, Mock) {
    let mock = if is_mock(&claim.0) { Mock::Calls } else { Mock::Real };
    (claim, mock)
}

/// Whether an expression is about a stand-in: that is what it starts with at its outermost level.
fn is_mock(subject: &[Token]) -> bool {
    let depths = depths(subject);
    let words = [
        "Mock",
        "MagicMock",
        "AsyncMock",
        "call_count",
        "called",
        "call_args",
        "mock_calls",
        "call_args_list",
    ];
    subject
        .iter()
        .zip(depths)
        .any(|(t, depth)| depth == 0 && t.kind == Kind::Name && words.contains(&t.text.as_str()))
}

/// The last name of each path.
fn last_names(tokens: &[Token]) -> Vec<String> {
    let goes_on = |i: usize| tokens.get(i + 1).is_some_and(|t| t.is("."));
    let names = tokens.iter().enumerate().filter(|(i, t)| t.kind == Kind::Name && !goes_on(*i));
    names.map(|(_, t)| t.text.clone()).collect()
}

/// What `pytest.raises(…)` and its like ask for.
fn exception(source: &Source<'_>, call: Node<'_>, scope: &Scope) -> Option<Force> {
    let (name, arguments) = call_of(source, call);
    if !matches!(
        name.as_str(),
        "raises"
            | "warns"
            | "assertRaises"
            | "assertRaisesRegex"
            | "assertWarns"
            | "assertWarnsRegex"
            | "RaisesGroup"
    ) {
        return None;
    }
    let first = arguments.first().map(|a| scope.resolved(a, call.start_byte())).unwrap_or_default();
    let kinds = last_names(&first);
    let message = name.ends_with("Regex") || arguments.iter().any(|a| a.starts_with("match"));
    Some(Force::Raises { kinds, message: if message { Message::Asked } else { Message::Any } })
}

fn call(source: &Source<'_>, node: Node<'_>, scope: &Scope) -> Found {
    let (name, given) = call_of(source, node);
    let function = source.field(node, "function");
    let values: Vec<Vec<Token>> =
        given.iter().map(|a| scope.resolved(a, node.start_byte())).collect();
    let one = |claim: Claim| Found::Claims(vec![with_mock(claim)]);
    if let Some(force) = exception(source, node, scope) {
        // The form that takes the function: `raises(E, f, 1)`.
        let subject = values.get(1).cloned().unwrap_or_default();
        return if values.len() > 1 && !given[1].contains('=') {
            one((subject, force))
        } else {
            Found::Nothing
        };
    }
    let receiver = function.strip_suffix(&format!(".{name}"));
    let of_calls = receiver.and_then(|_| asked_of_calls(&name, &values));
    if let (Some(receiver), Some(force)) = (receiver, of_calls) {
        let subject = scope.resolved(receiver, node.start_byte());
        return Found::Claims(vec![((subject, force), Mock::Calls)]);
    }
    let (Some(first), second) = (values.first(), values.get(1).cloned().unwrap_or_default()) else {
        return Found::Call(name, given);
    };
    let ordered = |side| one((first.clone(), Force::Ordered { side, bound: number(&second) }));
    let plain: Vec<&[Token]> = values.iter().map(Vec::as_slice).collect();
    match name.as_str() {
        "assertTrue" => {
            Found::Claims(claims(first, Holds::True).into_iter().map(with_mock).collect())
        }
        "assertFalse" => {
            Found::Claims(claims(first, Holds::False).into_iter().map(with_mock).collect())
        }
        "assertEqual"
        | "assertEquals"
        | "assertIs"
        | "assertListEqual"
        | "assertDictEqual"
        | "assertTupleEqual"
        | "assertSetEqual"
        | "assertSequenceEqual"
        | "assertMultiLineEqual"
        | "assertCountEqual"
        | "assert_array_equal"
        | "assert_equal"
        | "assert_frame_equal"
        | "assert_series_equal" => Found::Claims(
            apart(about(first, &second, Same::Yes)).into_iter().map(with_mock).collect(),
        ),
        "assertNotEqual" | "assertIsNot" => one(about(first, &second, Same::No)),
        "assertIsNone" => one((first.clone(), Force::Equal { expected: tokens("None") })),
        "assertIsNotNone" => one((first.clone(), Force::Present)),
        "assertIn"
        | "assertNotIn"
        | "assertRegex"
        | "assertNotRegex"
        | "assertDictContainsSubset" => {
            let literal = super::tokens::is_literal(first);
            one((
                if literal && name != "assertRegex" { second } else { first.clone() },
                Force::Contains,
            ))
        }
        "assertGreater" => ordered(Side::Above),
        "assertGreaterEqual" => ordered(Side::AtLeast),
        "assertLess" => ordered(Side::Below),
        "assertLessEqual" => ordered(Side::AtMost),
        "assertIsInstance" => one((first.clone(), Force::Instance)),
        "assertAlmostEqual"
        | "assert_allclose"
        | "assert_almost_equal"
        | "assert_array_almost_equal" => {
            let (subject, _) = about(first, &second, Same::Yes);
            one((subject, Force::Approx { slack: slack(&plain) }))
        }
        _ => Found::Call(name, given),
    }
}

/// What `mock.assert_called_with(…)` and its like ask for.
fn asked_of_calls(name: &str, values: &[Vec<Token>]) -> Option<Force> {
    match name {
        "assert_called_once_with"
        | "assert_called_with"
        | "assert_has_calls"
        | "assert_any_call"
        | "assert_awaited_once_with" => Some(Force::Equal { expected: values.concat() }),
        "assert_called" | "assert_called_once" | "assert_awaited" | "assert_awaited_once" => {
            Some(Force::Present)
        }
        "assert_not_called" => Some(Force::Equal { expected: tokens("0") }),
        _ => None,
    }
}

pub(super) fn finish(source: &Source<'_>, whole: &Whole<'_>, scope: &Scope, test: &mut Test) {
    let mut decorators = decorators(whole.node);
    let mut at = whole.node.parent();
    while let Some(parent) = at {
        if parent.kind() == "decorated_definition" {
            decorators.extend(self::decorators(parent));
        }
        at = parent.parent();
    }
    for decorator in decorators {
        let written = source.str(decorator).trim_start_matches('@');
        let path = written.split('(').next().unwrap_or(written);
        let last = path.rsplit('.').next().unwrap_or(path).trim();
        match last {
            "skip" | "skipif" | "skipIf" | "skipUnless" | "xfail" | "expectedFailure"
                if is_always(written) =>
            {
                test.marks.insert(short(&format!("@{written}")));
            }
            "parametrize" => parametrized(source, decorator, scope, test),
            "settings" => {
                let words = tokens(written);
                let examples = words.windows(3).find(|w| w[0].is("max_examples"));
                test.bounds.extend(examples.and_then(|w| w[2].text.parse::<u64>().ok()));
            }
            _ if path.contains("patch") => patched(source, decorator, test),
            _ => {}
        }
    }
    for node in syntax::children(source.root) {
        let written = source.str(node);
        if written.starts_with("pytestmark")
            && (written.contains("skip") || written.contains("xfail"))
        {
            test.marks.insert(short(written));
        }
    }
    syntax::walk(whole.body, &|_| true, &mut |node| {
        if node.kind() == "call" {
            let function = source.field(node, "function");
            let last = function.rsplit('.').next().unwrap_or(function);
            let skips = ["pytest.skip", "pytest.xfail", "self.skipTest", "skip", "xfail"]
                .contains(&function);
            if skips && !is_conditional(source, node, whole.body) {
                test.marks.insert(short(source.str(node)));
            }
            if function.contains("patch") || (last == "setattr" && function.contains("monkeypatch"))
            {
                patched(source, node, test);
            }
        }
        if node.kind() == "raise_statement"
            && source.str(node).contains("SkipTest")
            && !is_conditional(source, node, whole.body)
        {
            test.marks.insert(short(source.str(node)));
        }
    });
    note_loops(source, whole.body, scope, test);
}

/// Whether a mark holds on every machine. Where one asks for a platform, the run tells whether it held here.
fn is_always(mark: &str) -> bool {
    let words = tokens(mark);
    let first = super::tokens::call(&words)
        .and_then(|(_, arguments)| arguments.first().map(|a| a.to_vec()));
    let named = |a: &[Token]| a.len() > 1 && a[0].kind == Kind::Name && a[1].is("=");
    first.is_none_or(|a| (named(&a) && !a[0].is("condition")) || super::tokens::is_literal(&a))
}

fn decorators(whole: Node<'_>) -> Vec<Node<'_>> {
    syntax::children(whole).into_iter().filter(|n| n.kind() == "decorator").collect()
}

/// The rows of `parametrize`, and so many rounds for what the test checks.
fn parametrized(source: &Source<'_>, decorator: Node<'_>, scope: &Scope, test: &mut Test) {
    let Some(call) = decorator.named_child(0).filter(|n| n.kind() == "call") else {
        return;
    };
    let (_, arguments) = call_of(source, call);
    let Some(rows) = arguments.get(1) else {
        return;
    };
    let rows = rows.strip_prefix("argvalues=").unwrap_or(rows);
    let rows = scope.spelled_out(rows, usize::MAX);
    for check in &mut test.checks {
        check.rows = check.rows.times(super::loops::counted(&rows));
    }
    note_cases(&rows, test);
}

/// The last name of what is patched.
fn patched(source: &Source<'_>, node: Node<'_>, test: &mut Test) {
    let written = source.str(node);
    for token in tokens(written).into_iter().filter(|t| t.kind == Kind::Text).take(1) {
        let target = token.text.trim_matches('"').rsplit('.').next().unwrap_or("").to_owned();
        if !target.is_empty() {
            test.patches.insert(target);
        }
    }
}
