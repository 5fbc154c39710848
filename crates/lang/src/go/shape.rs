//! What reading the body of a Go test says about it: whether it checks anything, always fails, or is skipped.

use crate::language::Language;
use crate::syntax;
use crate::words::Words;
use proctor_core::item::Shape;
use std::collections::BTreeSet;
use tree_sitter::Node;

const FAILING: Words = Words("Error Errorf Fatal Fatalf Fail FailNow");
const SKIPPING: Words = Words("Skip Skipf SkipNow");

/// The functions of a package's test files: all of them, and those that can fail a test.
#[derive(Clone, Debug, Default)]
pub(crate) struct Helpers {
    known: BTreeSet<String>,
    checking: BTreeSet<String>,
}

impl Helpers {
    pub(crate) fn of(sources: &[String]) -> Self {
        let parsed: Vec<_> =
            sources.iter().filter_map(|s| Some((Language::Go.parse(s)?, s.as_str()))).collect();
        let mut functions = Vec::new();
        for (tree, source) in &parsed {
            for node in syntax::children(tree.root_node()) {
                if matches!(node.kind(), "function_declaration" | "method_declaration") {
                    functions.push((syntax::field(node, "name", source).to_owned(), node, *source));
                }
            }
        }
        let mut helpers =
            Self { known: functions.iter().map(|(n, ..)| n.clone()).collect(), ..Self::default() };
        // One helper may call another: again until nothing is new.
        loop {
            let new: BTreeSet<String> = functions
                .iter()
                .filter(|(name, ..)| !helpers.checking.contains(name))
                .filter(|(_, node, source)| Body::of(*node, source, &helpers).checks(*node))
                .map(|(name, ..)| name.clone())
                .collect();
            if new.is_empty() {
                return helpers;
            }
            helpers.checking.extend(new);
        }
    }
}

pub(crate) fn of(function: Node<'_>, source: &str, helpers: &Helpers) -> Shape {
    let Some(block) = function.child_by_field_name("body") else {
        return Shape::NoAssertion;
    };
    let body = Body::of(function, source, helpers);
    let mut checks = false;
    let mut may_have_left = false;
    for statement in statements(block) {
        match body.plain(statement) {
            Some(Plain::Skips) if !may_have_left => return Shape::Skipped,
            Some(Plain::Fails) if !may_have_left => return Shape::ConstantFailure,
            Some(Plain::Fails) => checks = true,
            Some(Plain::Skips | Plain::Holds) => {}
            None => {
                checks |= body.checks(statement);
                may_have_left |= leaves(statement);
            }
        }
    }
    if checks { Shape::Sound } else { Shape::NoAssertion }
}

/// The statements of a block. Newer grammars put them into a list of their own.
fn statements(block: Node<'_>) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    for child in syntax::children(block) {
        if child.kind() == "statement_list" {
            found.extend(syntax::children(child));
        } else {
            found.push(child);
        }
    }
    found.retain(|n| n.kind() != "comment");
    found
}

enum Plain {
    Fails,
    Skips,
    Holds,
}

/// A function, with the names by which it knows its test.
struct Body<'a> {
    source: &'a str,
    helpers: &'a Helpers,
    /// Parameters of the testing types, here and in the functions inside.
    tests: BTreeSet<String>,
    /// Made from the test, to check with: `is := assert.New(t)`.
    checkers: BTreeSet<String>,
    receiver: String,
}

impl<'a> Body<'a> {
    fn of(function: Node<'_>, source: &'a str, helpers: &'a Helpers) -> Self {
        let mut body = Self {
            source,
            helpers,
            tests: BTreeSet::new(),
            checkers: BTreeSet::new(),
            receiver: String::new(),
        };
        if let Some(receiver) =
            function.child_by_field_name("receiver").and_then(|r| r.named_child(0))
        {
            syntax::field(receiver, "name", source).clone_into(&mut body.receiver);
        }
        syntax::walk(function, &|_| true, &mut |n| match n.kind() {
            "parameter_declaration" if is_testing(syntax::field(n, "type", source)) => {
                body.tests.insert(syntax::field(n, "name", source).to_owned());
            }
            "short_var_declaration" => {
                let made = n.child_by_field_name("right").and_then(|r| r.named_child(0));
                if made.is_some_and(|call| body.makes_checker(call)) {
                    body.checkers.insert(syntax::field(n, "left", source).to_owned());
                }
            }
            _ => {}
        });
        body
    }

    /// `assert.New(t)`, `is.New(t)`, `NewWithT(t)`.
    fn makes_checker(&self, call: Node<'_>) -> bool {
        let (_, name) = self.callee(call);
        call.kind() == "call_expression" && name.starts_with("New") && self.takes_test(call)
    }

    /// What a call is made on, and its name.
    fn callee(&self, call: Node<'_>) -> (&'a str, &'a str) {
        let function = syntax::field(call, "function", self.source);
        function.rsplit_once('.').unwrap_or(("", function))
    }

    fn arguments<'t>(&self, call: Node<'t>) -> Vec<(Node<'t>, &'a str)> {
        let list = call.child_by_field_name("arguments").map(syntax::children).unwrap_or_default();
        list.into_iter().map(|n| (n, syntax::text(n, self.source))).collect()
    }

    fn takes_test(&self, call: Node<'_>) -> bool {
        self.arguments(call).iter().any(|(_, text)| self.tests.contains(*text))
    }

    /// A statement whose end is known without running anything.
    fn plain(&self, statement: Node<'_>) -> Option<Plain> {
        let call = match statement.kind() {
            "expression_statement" => statement.named_child(0)?,
            "if_statement" => return self.plain_if(statement),
            _ => return None,
        };
        if call.kind() != "call_expression" {
            return None;
        }
        let (holder, name) = self.callee(call);
        if (holder.is_empty() && name == "panic")
            || (self.tests.contains(holder) && FAILING.has(name))
        {
            return Some(Plain::Fails);
        }
        if self.tests.contains(holder) && SKIPPING.has(name) {
            return Some(Plain::Skips);
        }
        let tested = self.takes_test(call) || self.checkers.contains(holder);
        if !tested || self.helpers.known.contains(name) {
            return None;
        }
        let values: Vec<&str> = self
            .arguments(call)
            .iter()
            .map(|(_, text)| *text)
            .filter(|text| !self.tests.contains(*text))
            .collect();
        match (name.trim_end_matches('f'), values.as_slice()) {
            ("Fail" | "FailNow", _) | ("True", ["false", ..]) | ("False", ["true", ..]) => {
                Some(Plain::Fails)
            }
            ("True", ["true", ..]) | ("False", ["false", ..]) => Some(Plain::Holds),
            ("Equal", [a, b, ..]) if is_literal(a) && is_literal(b) => {
                Some(if a == b { Plain::Holds } else { Plain::Fails })
            }
            _ => None,
        }
    }

    /// `if true { t.Fatal() }` is no condition.
    fn plain_if(&self, statement: Node<'_>) -> Option<Plain> {
        let body = statement.child_by_field_name("consequence")?;
        match syntax::field(statement, "condition", self.source) {
            "true" => statements(body).into_iter().find_map(|s| self.plain(s)),
            "false" if statement.child_by_field_name("alternative").is_none() => Some(Plain::Holds),
            _ => None,
        }
    }

    /// Whether something in here could fail the test on purpose.
    fn checks(&self, node: Node<'_>) -> bool {
        let mut found = false;
        syntax::walk(node, &|n| !matches!(self.plain(n), Some(Plain::Holds)), &mut |n| {
            found |= n.kind() == "call_expression" && self.is_check(n);
        });
        found
    }

    fn is_check(&self, call: Node<'_>) -> bool {
        let (holder, name) = self.callee(call);
        let parent_holds =
            call.parent().is_some_and(|p| matches!(self.plain(p), Some(Plain::Holds)));
        if parent_holds {
            return false;
        }
        if self.tests.contains(holder) {
            // A named function as a subtest, besides what the test itself offers.
            return FAILING.has(name)
                || self.arguments(call).iter().any(|(_, a)| self.helpers.checking.contains(*a));
        }
        if holder.is_empty() && name == "panic" {
            return true;
        }
        // A suite's own checks are not declared in its package: they come from what it embeds.
        let root = holder.split(['.', '(']).next().unwrap_or("");
        if !self.receiver.is_empty() && root == self.receiver {
            let own = self.helpers.known.contains(name);
            return if own {
                self.helpers.checking.contains(name)
            } else {
                name.chars().next().is_some_and(char::is_uppercase) && name != "T"
            };
        }
        if self.checkers.contains(root) {
            return true;
        }
        if holder.is_empty() && self.helpers.known.contains(name) {
            return self.helpers.checking.contains(name);
        }
        let given = self.arguments(call);
        self.takes_test(call) && !self.makes_checker(call)
            || given.iter().any(|(_, a)| self.checkers.contains(*a))
    }
}

fn is_testing(kind: &str) -> bool {
    let kind = kind.trim_start_matches('*');
    matches!(kind, "testing.T" | "testing.TB" | "testing.F" | "testing.B" | "T" | "F" | "TB")
}

fn is_literal(text: &str) -> bool {
    let number = text.chars().next().is_some_and(|c| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
    let string = text.len() > 1
        && text.starts_with('"')
        && text.matches('"').count() == 2
        && text.ends_with('"');
    number || string || matches!(text, "true" | "false" | "nil")
}

/// Whether a statement may end the function. What a function inside returns does not.
fn leaves(statement: Node<'_>) -> bool {
    let mut found = false;
    syntax::walk(statement, &|n| n.kind() != "func_literal", &mut |n| {
        found |= n.kind() == "return_statement";
    });
    found
}
