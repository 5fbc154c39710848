//! The assertions of one test, and what they become: a call that hands both sides to the channel. The literals between
//! stay where they are.

use super::super::Copy;
use super::super::places::Places;
use proctor_lang::Words;
use proctor_lang::js::names::{Imported, Names};
use proctor_lang::js::script::{arguments, bare, holds_own, is_function, parameters};
use proctor_lang::syntax::{children, text};
use tree_sitter::Node;

/// Modules whose functions are checks.
const ASSERTS: Words = Words(
    "assert node:assert assert/strict node:assert/strict power-assert uvu/assert \
    @std/assert",
);

/// Modules that have `expect`.
const TOOLS: Words = Words("chai vitest @jest/globals expect");

/// Checks of the context that a test is given: tape, tap, ava.
const OWN: Words = Words(
    "equal equals is isEqual strictEqual strictEquals not notEqual notEquals isNot \
    notStrictEqual ok true truthy assert notOk notok false falsy error ifError deepEqual deepEquals same \
    isEquivalent notDeepEqual notSame throws notThrows throwsAsync notThrowsAsync rejects match regex like fail",
);

/// What functions that help tests call the context that they are given.
const HELPED: Words = Words("t st tt");

/// They try what they are given until it throws no more: an assertion in there must throw.
const TRYING: Words = Words("waitFor waitUntil waitForExpect eventually retry poll");

/// They look at types alone.
const TYPES: Words = Words("expectTypeOf expectType assertType");

/// How a check is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Called<'w> {
    /// `assert(…)`
    Alone,
    /// `assert.equal(…)`: by a word of an object.
    On(&'w str),
}

pub(super) struct Sites<'s, 't> {
    source: &'s str,
    names: &'s Names<'t>,
    pub(super) places: Places,
    /// Whether these are no tests, but functions that help some.
    helps: bool,
    /// What this test and those in it call their contexts.
    contexts: Vec<String>,
}

impl<'s, 't> Sites<'s, 't> {
    pub(super) fn new(source: &'s str, names: &'s Names<'t>, copy: Copy) -> Self {
        let places = Places::new(format!("{}, {}", copy.sample, copy.number), 0);
        Self { source, names, places, helps: false, contexts: Vec::new() }
    }

    /// Those of functions that help tests, in any copy that runs.
    pub(super) fn helping(source: &'s str, names: &'s Names<'t>, first: usize) -> Self {
        let contexts = HELPED.iter().map(str::to_owned).collect();
        Self { source, names, places: Places::new("-1, 0", first), helps: true, contexts }
    }

    /// The function of a test takes its context first.
    pub(super) fn context(&mut self, function: Node<'_>) {
        let first = parameters(function).first().copied();
        if let Some(first) = first.filter(|n| is_function(function) && n.kind() == "identifier") {
            self.contexts.push(text(first, self.source).to_owned());
        }
    }

    fn is_context(&self, name: &str) -> bool {
        self.contexts.iter().any(|c| c == name)
    }

    pub(super) fn read(&mut self, node: Node<'_>) {
        if node.kind() == "call_expression" && self.call(node) || self.should(node) {
            return;
        }
        for child in children(node) {
            // Somebody waits for what fails in there, and tries again perhaps.
            let tried = self.helps
                && node.child_by_field_name("handler").is_some()
                && node.child_by_field_name("body") == Some(child);
            if !tried {
                self.read(child);
            }
        }
    }

    /// Whether nothing below this call is to be looked at any more.
    fn call(&mut self, call: Node<'_>) -> bool {
        let parts = call.child_by_field_name("function").zip(call.child_by_field_name("arguments"));
        let Some((function, list)) = parts.filter(|(_, list)| list.kind() == "arguments") else {
            return false;
        };
        let words = path(function, self.source);
        let Some(word) = words.last().copied() else { return false };
        if TRYING.has(word) {
            for function in arguments(call).into_iter().filter(|n| is_function(bare(*n))) {
                self.places.around(function, "__ob.strict(", ")");
            }
            return true;
        }
        if word == "test" && words.first().is_some_and(|root| self.is_context(root)) {
            for argument in arguments(call) {
                self.context(bare(argument));
            }
        }
        if let Some(real) = self.expect(function, &words) {
            return self.expectation(call, real);
        }
        let Some(called) = self.check(call, &words) else { return false };
        let (on, word) = match called {
            Called::Alone => (Some(function), ""),
            Called::On(word) => (bare(function).child_by_field_name("object"), word),
        };
        let Some(on) = on else { return false };
        let site = self.places.site();
        let on = text(on, self.source);
        let (open, close) = match waits(list) {
            Waits::No => ("() => [", "])"),
            Waits::Await => ("await __ob.wait(async () => [", "]))"),
            Waits::Yield => ("__ob.same([", "]))"),
        };
        let (start, end) = (list.start_byte() + 1, list.end_byte());
        let head = format!("__ob.check({site}, {on}, \"{word}\", {open}");
        self.places.replace(call.start_byte()..start, head);
        self.places.replace(end - 1..end, close);
        true
    }

    /// The function that makes an expectation, where this is one. One that goes on after a failure tells nobody of it.
    fn expect<'n>(&self, function: Node<'n>, words: &[&str]) -> Option<Node<'n>> {
        let named = |name: &str| {
            name == "expect"
                || self
                    .names
                    .only_import(name)
                    .is_some_and(|i| i.what == Imported::Named("expect".to_owned()))
        };
        match words {
            [.., root, "soft"] if named(root) => bare(function).child_by_field_name("object"),
            [root] if named(root) => Some(function),
            [root, "expect"] if self.is_context(root) || self.is_tool(root) => Some(function),
            _ => None,
        }
    }

    fn is_tool(&self, name: &str) -> bool {
        let import = self.names.only_import(name);
        import.is_some_and(|i| TOOLS.has(i.specifier.as_str()))
    }

    fn expectation(&mut self, call: Node<'_>, real: Node<'_>) -> bool {
        let given = arguments(call);
        let Some(value) = given.first().copied().filter(|n| n.kind() != "spread_element") else {
            return false;
        };
        let (open, close) = match waits(value) {
            Waits::No => ("() => (", ")"),
            Waits::Await => ("await __ob.wait(async () => (", "))"),
            Waits::Yield => ("__ob.same(", ")"),
        };
        let head =
            format!("__ob.expect({}, {}, {open}", self.places.site(), text(real, self.source));
        self.places.replace(call.start_byte()..value.start_byte(), head);
        self.places.put(value.end_byte(), close);
        true
    }

    /// `value.should.equal(…)`: what should be is an expectation of the value before it.
    fn should(&mut self, node: Node<'_>) -> bool {
        let parts = node.child_by_field_name("object").zip(node.child_by_field_name("property"));
        let goes_on = node.parent().is_some_and(|n| n.kind() == "member_expression");
        let Some((value, _)) = parts.filter(|(_, p)| goes_on && text(*p, self.source) == "should")
        else {
            return false;
        };
        let (open, close) = match waits(value) {
            Waits::No => ("() => (", "))"),
            Waits::Await => ("await __ob.wait(async () => (", ")))"),
            Waits::Yield => ("__ob.same(", "))"),
        };
        let head = format!("__ob.expect({}, (it) => it.should, {open}", self.places.site());
        self.places.put(value.start_byte(), head);
        self.places.replace(value.end_byte()..node.end_byte(), close);
        true
    }

    /// How a check is called, where this is one.
    fn check<'w>(&self, call: Node<'_>, words: &[&'w str]) -> Option<Called<'w>> {
        let root = *words.first()?;
        let import = self.names.only_import(root);
        let module = import.is_some_and(|i| ASSERTS.has(i.specifier.as_str()));
        match *words {
            [_] if module || root == "assert" => Some(Called::Alone),
            [name] => {
                let called = ["assert", "expect"].iter().any(|begin| {
                    name.strip_prefix(begin).is_some_and(|n| n.starts_with(char::is_uppercase))
                });
                (called && !TYPES.has(name) && is_alone(call)).then_some(Called::Alone)
            }
            [.., word] if module || (words.len() < 4 && is_assert(words)) => Some(Called::On(word)),
            ["expect", word @ ("fail" | "unreachable")] => Some(Called::On(word)),
            [_, word] => (OWN.has(word) && self.is_context(root)).then_some(Called::On(word)),
            _ => None,
        }
    }
}

/// `assert.equal`, `t.assert.equal`, `assert.strict.equal`, `sinon.assert.called`.
fn is_assert(words: &[&str]) -> bool {
    matches!(words, ["assert", _] | ["assert", "strict", _] | [_, "assert", _])
}

/// Nobody asks what the call gives.
fn is_alone(call: Node<'_>) -> bool {
    let mut above = call.parent();
    while let Some(node) = above.filter(|n| n.kind() == "await_expression") {
        above = node.parent();
    }
    above.is_some_and(|n| matches!(n.kind(), "expression_statement" | "return_statement"))
}

/// `a.b.c` as its names; empty where anything else stands in between.
fn path<'s>(node: Node<'_>, source: &'s str) -> Vec<&'s str> {
    let mut words = Vec::new();
    let mut at = bare(node);
    while at.kind() == "member_expression" {
        let parts = at.child_by_field_name("object").zip(at.child_by_field_name("property"));
        let Some((object, property)) = parts else { return Vec::new() };
        words.push(text(property, source));
        at = object;
    }
    if !matches!(at.kind(), "identifier" | "this") {
        return Vec::new();
    }
    words.push(text(at, source));
    words.reverse();
    words
}

/// Whether an expression can be worked out inside a function of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waits {
    No,
    Await,
    Yield,
}

fn waits(node: Node<'_>) -> Waits {
    if is_function(node) {
        Waits::No
    } else if holds_own(node, "yield_expression") {
        Waits::Yield
    } else if holds_own(node, "await_expression") {
        Waits::Await
    } else {
        Waits::No
    }
}
