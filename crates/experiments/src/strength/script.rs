//! JavaScript and TypeScript tests: where one stands, and which of its expressions are assertions, in the words of
//! vitest, jest, chai and `node:assert`.

use super::around::is_conditional;
use super::claims::{Holds, Same, about, claims};
use super::force::{Claim, Force, Message, Side};
use super::loops::{note_cases, note_loops};
use super::model::{Found, Mock, Source, Test, Whole, call_of, short};
use super::scope::Scope;
use super::tokens::{Kind, Token, number, tokens};
use proctor_lang::js::script::{arguments, bare, chain, is_function};
use proctor_lang::syntax;
use tree_sitter::Node;

const DEFINERS: [&str; 11] = [
    "it",
    "test",
    "specify",
    "fit",
    "xit",
    "xtest",
    "ftest",
    "xspecify",
    "describe",
    "suite",
    "xdescribe",
];

pub(super) fn test_at<'t>(source: &Source<'t>, line: u32) -> Option<Whole<'t>> {
    let mut best: Option<(Node<'t>, bool)> = None;
    syntax::walk(source.root, &|_| true, &mut |node| {
        let is_call = node.kind() == "call_expression" && syntax::line(node) == line;
        if !is_call || callback(node).is_none() {
            return;
        }
        let root = chain(node, source.text).first().copied().unwrap_or("");
        let named = DEFINERS.contains(&root) && !root.contains("describe") && root != "suite";
        match best {
            Some((_, true)) => {}
            Some((_, false)) if !named => {}
            _ => best = Some((node, named)),
        }
    });
    let (node, _) = best?;
    let function = callback(node)?;
    let body = function.child_by_field_name("body").unwrap_or(function);
    Some(Whole { node, body, marks: Vec::new() })
}

fn callback(call: Node<'_>) -> Option<Node<'_>> {
    arguments(call).into_iter().rev().find(|n| is_function(*n))
}

/// The innermost `expect(…)` of a chain.
fn expected<'t>(source: &Source<'_>, node: Node<'t>) -> Option<Node<'t>> {
    let node = bare(node);
    match node.kind() {
        "member_expression" => expected(source, node.child_by_field_name("object")?),
        "call_expression" => {
            let function = node.child_by_field_name("function")?;
            let words = chain(function, source.text);
            match words.as_slice() {
                ["expect"] if function.kind() == "identifier" => Some(node),
                ["expect", "soft" | "poll"] => Some(node),
                _ => expected(source, function),
            }
        }
        _ => None,
    }
}

pub(super) fn found(source: &Source<'_>, node: Node<'_>, scope: &Scope) -> Found {
    let at = node.start_byte();
    let goes_on = node.parent().is_some_and(|p| {
        p.kind() == "member_expression" && p.child_by_field_name("object") == Some(node)
    });
    let last_of_chain = |n: Node<'_>| {
        !goes_on
            || n.parent().is_some_and(|p| {
                matches!(source.field(p, "property"), "catch" | "then" | "finally")
            })
    };
    match node.kind() {
        "call_expression" => {
            let words = chain(node, source.text);
            let function = node.child_by_field_name("function");
            if let Some(expect) = function.and_then(|f| expected(source, f)) {
                let waits =
                    words.last().is_some_and(|w| matches!(*w, "catch" | "then" | "finally"));
                if waits || !last_of_chain(node) {
                    return Found::Nothing;
                }
                let given: Vec<Vec<Token>> = arguments(node)
                    .into_iter()
                    .map(|n| scope.resolved(source.str(n), at))
                    .collect();
                return matched(source, expect, &words, &given, scope);
            }
            asserted(source, node, &words, scope)
        }
        "member_expression"
            if node.parent().is_some_and(|p| {
                matches!(p.kind(), "expression_statement" | "await_expression")
            }) =>
        {
            match expected(source, node) {
                Some(expect) => matched(source, expect, &chain(node, source.text), &[], scope),
                None => Found::Nothing,
            }
        }
        _ => Found::Nothing,
    }
}

/// `expect(subject).….matcher(given)`
fn matched(
    source: &Source<'_>,
    expect: Node<'_>,
    words: &[&str],
    given: &[Vec<Token>],
    scope: &Scope,
) -> Found {
    let about_it = arguments(expect).first().map(|n| source.str(*n)).unwrap_or_default();
    let mut subject = scope.resolved(strip_arrow(about_it), expect.start_byte());
    let Some((matcher, before)) = words.split_last() else {
        return Found::Nothing;
    };
    let negated = before.contains(&"not");
    let first = given.first().cloned().unwrap_or_default();
    let of_calls = ["toHaveBeenCalled", "toHaveReturned", "toBeCalled", "called"];
    let calls = words.iter().any(|w| of_calls.iter().any(|c| w.starts_with(c)));
    let mock = if calls { Mock::Calls } else { Mock::Real };
    // A comparison inside is the assertion itself.
    if let Some(holds) = truth(matcher, &first).filter(|_| !negated) {
        let made = claims(&subject, holds);
        if made.iter().any(|(_, f)| !matches!(f, Force::Truthy | Force::Falsy)) {
            return Found::Claims(made.into_iter().map(|c| (c, mock)).collect());
        }
    }
    let equality = matches!(
        *matcher,
        "toBe" | "toEqual" | "toStrictEqual" | "equal" | "equals" | "eql" | "eq"
    );
    if equality && !negated {
        return Found::Claims(vec![(about(&subject, &first, Same::Yes), mock)]);
    }
    match *matcher {
        "toHaveProperty" | "property" => {
            subject.extend(tokens(".").into_iter().chain(first));
        }
        "toHaveLength" | "lengthOf" => subject.extend(tokens(".length")),
        _ => {}
    }
    let force = if negated { refused(matcher) } else { asked(matcher, given) };
    Found::Claims(vec![((subject, force), mock)])
}

/// Whether a matcher asks for the truth of what it is given.
fn truth(matcher: &str, first: &[Token]) -> Option<Holds> {
    let equality = matches!(matcher, "toBe" | "toEqual" | "toStrictEqual" | "equal");
    match (matcher, first) {
        ("toBeTruthy" | "true" | "toBeTrue", _) => Some(Holds::True),
        ("toBeFalsy" | "false" | "toBeFalse", _) => Some(Holds::False),
        (_, [one]) if equality && one.is("true") => Some(Holds::True),
        (_, [one]) if equality && one.is("false") => Some(Holds::False),
        _ => None,
    }
}

fn asked(matcher: &str, given: &[Vec<Token>]) -> Force {
    let first = given.first().cloned().unwrap_or_default();
    let ordered = |side| Force::Ordered { side, bound: number(&first) };
    let word = |text: &str| Force::Equal { expected: tokens(text) };
    match matcher {
        "toHaveBeenCalled" | "toBeCalled" | "toHaveReturned" | "called" | "toBeDefined"
        | "exist" | "toBeInTheDocument" | "toBeVisible" => Force::Present,
        "toThrow" | "toThrowError" | "throw" | "throws" | "rejectedWith" => raises(given),
        "toBeCloseTo" | "closeTo" | "approximately" => {
            let digits = given.get(1).and_then(|g| number(g));
            let by = match (matcher, digits) {
                ("toBeCloseTo", digits) => 10_f64.powf(-digits.unwrap_or(2.0)) / 2.0,
                (_, digits) => digits.unwrap_or(0.0),
            };
            Force::Approx { slack: vec![("by".to_owned(), by)] }
        }
        // Every object has nothing in common with this one.
        "toMatchObject" if first.iter().map(|t| t.text.as_str()).eq(["{", "}"]) => {
            word("expect.anything()")
        }
        "toContain" | "toContainEqual" | "toMatch" | "toMatchObject" | "include" | "includes"
        | "contain" | "match" | "string" | "keys" | "members" => Force::Contains,
        "toBeGreaterThan" | "above" | "greaterThan" => ordered(Side::Above),
        "toBeGreaterThanOrEqual" | "least" => ordered(Side::AtLeast),
        "toBeLessThan" | "below" | "lessThan" => ordered(Side::Below),
        "toBeLessThanOrEqual" | "most" => ordered(Side::AtMost),
        "toBeInstanceOf" | "toBeTypeOf" | "instanceof" | "instanceOf" | "a" | "an" => {
            Force::Instance
        }
        "toBeTruthy" | "ok" => Force::Truthy,
        "toBeFalsy" => Force::Falsy,
        "toHaveProperty" | "property" => {
            given.get(1).map_or(Force::Present, |value| Force::Equal { expected: value.clone() })
        }
        "toHaveLength" | "lengthOf" => Force::Equal { expected: first.clone() },
        "toBeNull" | "null" => word("null"),
        "toBeUndefined" | "undefined" => word("undefined"),
        "toBeTrue" | "true" => word("true"),
        "toBeFalse" | "false" => word("false"),
        "toBeNaN" | "empty" | "toHaveBeenCalledOnce" => word("1"),
        name if name.starts_with("toHaveBeen")
            || name.starts_with("toHaveReturned")
            || name.contains("Snapshot") =>
        {
            Force::Equal { expected: given.concat() }
        }
        _ => Force::Unknown,
    }
}

/// The same after `not`.
fn refused(matcher: &str) -> Force {
    match matcher {
        "toBeNull" | "toBeUndefined" | "null" | "undefined" | "toBeFalsy" => Force::Present,
        "toBeTruthy" => Force::Falsy,
        "toHaveBeenCalled" | "toThrow" | "toBeDefined" => {
            Force::Equal { expected: tokens("undefined") }
        }
        _ => Force::Different,
    }
}

/// `() => f(1)` is about `f(1)`.
fn strip_arrow(text: &str) -> &str {
    let trimmed = text.trim_start_matches("async").trim_start();
    trimmed
        .strip_prefix("()")
        .map(str::trim_start)
        .and_then(|t| t.strip_prefix("=>"))
        .map_or(text, str::trim)
}

fn raises(given: &[Vec<Token>]) -> Force {
    let first = given.first().cloned().unwrap_or_default();
    let text = first.first().is_some_and(|t| t.kind == Kind::Text || t.is("/")) || given.len() > 1;
    let kinds: Vec<String> = first
        .iter()
        .filter(|t| t.kind == Kind::Name && t.text.starts_with(char::is_uppercase))
        .map(|t| t.text.clone())
        .collect();
    let made = first.len() > 1 && !kinds.is_empty();
    Force::Raises { kinds, message: if text || made { Message::Asked } else { Message::Any } }
}

/// `assert.equal(a, b)` and other calls.
fn asserted(source: &Source<'_>, node: Node<'_>, words: &[&str], scope: &Scope) -> Found {
    let at = node.start_byte();
    let (name, given) = call_of(source, node);
    let values: Vec<Vec<Token>> =
        given.iter().map(|a| scope.resolved(strip_arrow(a), at)).collect();
    let by_name =
        matches!(words, ["strictEqual" | "deepStrictEqual" | "deepEqual" | "notStrictEqual"]);
    if !(words.contains(&"assert") || by_name)
        || words.first() == Some(&"console")
        || source.functions.contains_key(&name)
    {
        return Found::Call(name, given);
    }
    let (Some(first), second) = (values.first(), values.get(1).cloned().unwrap_or_default()) else {
        return Found::Nothing;
    };
    let made = match words.last().copied().unwrap_or("") {
        "assert" | "ok" | "isOk" | "isTrue" => claims(first, Holds::True),
        "isFalse" | "isNotOk" => claims(first, Holds::False),
        "equal" | "strictEqual" | "deepEqual" | "deepStrictEqual" | "eq" => {
            vec![about(first, &second, Same::Yes)]
        }
        "notEqual" | "notStrictEqual" | "notDeepEqual" | "notDeepStrictEqual" => {
            vec![about(first, &second, Same::No)]
        }
        "throws" | "rejects" => vec![(first.clone(), raises(values.get(1..).unwrap_or_default()))],
        "match" | "include" | "partialDeepStrictEqual" => vec![(first.clone(), Force::Contains)],
        "closeTo" | "approximately" => {
            let by = values.get(2).and_then(|v| number(v)).unwrap_or(0.0);
            vec![(first.clone(), Force::Approx { slack: vec![("by".to_owned(), by)] })]
        }
        "isDefined" | "exists" | "isNotNull" => vec![(first.clone(), Force::Present)],
        "instanceOf" | "isArray" | "typeOf" => vec![(first.clone(), Force::Instance)],
        _ => vec![(first.clone(), Force::Unknown)],
    };
    Found::Claims(made.into_iter().map(|c: Claim| (c, Mock::Real)).collect())
}

pub(super) fn finish(source: &Source<'_>, whole: &Whole<'_>, scope: &Scope, test: &mut Test) {
    let mut at = Some(whole.node);
    while let Some(node) = at {
        if node.kind() == "call_expression" {
            let words = chain(node, source.text);
            if words.first().is_some_and(|w| DEFINERS.contains(w)) {
                marks(source, node, &words, test);
                each(source, node, scope, test);
            }
        }
        at = node.parent();
    }
    syntax::walk(whole.body, &|_| true, &mut |node| {
        if node.kind() == "call_expression" {
            let words = chain(node, source.text);
            let skips = matches!(words.as_slice(), [_, "skip" | "todo"]);
            if skips && !DEFINERS.contains(&words[0]) && !is_conditional(source, node, whole.body) {
                test.marks.insert(short(source.str(node)));
            }
            if matches!(
                words.as_slice(),
                [.., "spyOn", "mockReturnValue" | "mockImplementation" | "mockResolvedValue"]
            ) {
                test.patches.extend(first_text(source, node));
            }
        }
    });
    patched_modules(source, test);
    note_loops(source, whole.body, scope, test);
}

fn marks(source: &Source<'_>, node: Node<'_>, words: &[&str], test: &mut Test) {
    let known = ["skip", "only", "todo", "fails", "failing", "fixme"];
    for word in words.iter().filter(|w| {
        known.contains(w)
            || matches!(**w, "xit" | "xtest" | "xdescribe" | "fit" | "ftest" | "xspecify")
    }) {
        test.marks.insert((*word).to_owned());
    }
    for option in arguments(node).into_iter().filter(|n| n.kind() == "object") {
        for pair in syntax::children(option).into_iter().filter(|n| n.kind() == "pair") {
            let key = source.field(pair, "key");
            if matches!(key, "skip" | "todo" | "only" | "fails")
                && source.field(pair, "value") != "false"
            {
                test.marks.insert(key.to_owned());
            }
        }
    }
}

/// The rows of `it.each(rows)(…)`.
fn each(source: &Source<'_>, node: Node<'_>, scope: &Scope, test: &mut Test) {
    let Some(maker) =
        node.child_by_field_name("function").filter(|f| f.kind() == "call_expression")
    else {
        return;
    };
    let is_each = maker
        .child_by_field_name("function")
        .is_some_and(|f| matches!(source.field(f, "property"), "each" | "for"));
    let Some(rows) = arguments(maker).first().copied().filter(|_| is_each) else {
        test.open_cases |= is_each;
        return;
    };
    let rows = scope.spelled_out(source.str(rows), node.start_byte());
    for check in &mut test.checks {
        check.rows = check.rows.times(super::loops::counted(&rows));
    }
    note_cases(&rows, test);
}

fn first_text(source: &Source<'_>, node: Node<'_>) -> Option<String> {
    tokens(source.str(node))
        .into_iter()
        .find(|t| t.kind == Kind::Text)
        .map(|t| t.text.trim_matches('"').to_owned())
}

/// The names that the file imports from modules which it replaces: `vi.mock('./cart')`.
fn patched_modules(source: &Source<'_>, test: &mut Test) {
    let mut modules = Vec::new();
    syntax::walk(source.root, &|_| true, &mut |node| {
        if node.kind() == "call_expression"
            && matches!(chain(node, source.text).as_slice(), ["vi" | "jest", "mock" | "doMock"])
        {
            modules.extend(first_text(source, node));
        }
    });
    syntax::walk(source.root, &|_| true, &mut |node| {
        if node.kind() == "import_statement"
            && modules.iter().any(|m| source.field(node, "source").trim_matches(['"', '\'']) == m)
        {
            let names = tokens(source.str(node)).into_iter().filter(|t| {
                t.kind == Kind::Name && !matches!(t.text.as_str(), "import" | "from" | "as")
            });
            test.patches.extend(names.map(|t| t.text));
        }
    });
}
