//! What one statement of a Go test says: how it ends, whether it checks something.

use crate::shape::{self, Plain, Statements, is_literal};
use crate::syntax::{self, field, nodes};
use crate::test_model::{Role, TestModel};
use proctor_core::item::Shape;
use std::collections::BTreeSet;
use tree_sitter::Node;

/// The functions of a package's test files: all of them, and those that can fail a test.
#[derive(Clone, Debug, Default)]
pub(crate) struct Helpers {
    known: BTreeSet<String>,
    checking: BTreeSet<String>,
}

impl Helpers {
    pub(crate) fn of<'t>(models: &'t [TestModel<'t>]) -> Self {
        let of = |m: &'t TestModel<'t>| {
            let all = syntax::children(m.root).into_iter().filter(|n| m.is(*n, Role::Function));
            all.map(move |n| (m, field(n, "name", m.source), n))
        };
        let functions: Vec<_> = models.iter().flat_map(of).collect();
        let known = functions.iter().map(|(_, name, _)| (*name).to_owned()).collect();
        let mut helpers = Self { known, checking: BTreeSet::new() };
        // One helper may call another: again until nothing is new.
        loop {
            let new: BTreeSet<String> = functions
                .iter()
                .filter(|(_, name, _)| !helpers.checking.contains(*name))
                .filter(|(model, _, function)| {
                    Body::of(*function, model, &helpers).checks(*function)
                })
                .map(|(_, name, _)| (*name).to_owned())
                .collect();
            if new.is_empty() {
                return helpers;
            }
            helpers.checking.extend(new);
        }
    }
}

pub(crate) fn of(function: Node<'_>, model: &TestModel<'_>, helpers: &Helpers) -> Shape {
    let block = function.child_by_field_name("body");
    let statements = block.map(statements).unwrap_or_default();
    shape::of(&statements, &Body::of(function, model, helpers))
}

/// The statements of a block. Newer grammars put them into a list of their own.
fn statements(block: Node<'_>) -> Vec<Node<'_>> {
    let listed = |n: Node<'_>| n == block || n.kind() == "statement_list";
    let all = syntax::nodes_into(block, listed).filter(|n| !listed(*n));
    all.filter(|n| n.kind() != "comment").collect()
}

/// A function, with the names by which it knows its test.
struct Body<'a> {
    model: &'a TestModel<'a>,
    helpers: &'a Helpers,
    /// Parameters of the testing types, here and in the functions inside.
    tests: BTreeSet<String>,
    /// Made from the test, to check with: `is := assert.New(t)`.
    checkers: BTreeSet<String>,
    receiver: String,
}

impl<'a> Body<'a> {
    fn of(function: Node<'_>, model: &'a TestModel<'a>, helpers: &'a Helpers) -> Self {
        let source = model.source;
        let mut body = Self {
            model,
            helpers,
            tests: BTreeSet::new(),
            checkers: BTreeSet::new(),
            receiver: String::new(),
        };
        if let Some(receiver) =
            function.child_by_field_name("receiver").and_then(|r| r.named_child(0))
        {
            field(receiver, "name", source).clone_into(&mut body.receiver);
        }
        for n in nodes(function) {
            match n.kind() {
                "parameter_declaration" if is_testing(field(n, "type", source)) => {
                    body.tests.insert(field(n, "name", source).to_owned());
                }
                "short_var_declaration" => {
                    let made = n.child_by_field_name("right").and_then(|r| r.named_child(0));
                    if made.is_some_and(|call| body.makes_checker(call)) {
                        body.checkers.insert(field(n, "left", source).to_owned());
                    }
                }
                _ => {}
            }
        }
        body
    }

    /// `assert.New(t)`, `is.New(t)`, `NewWithT(t)`.
    fn makes_checker(&self, call: Node<'_>) -> bool {
        let (_, name) = self.callee(call);
        call.kind() == "call_expression" && name.starts_with("New") && self.takes_test(call)
    }

    /// What a call is made on, and its name.
    fn callee(&self, call: Node<'_>) -> (&'a str, &'a str) {
        let function = field(call, "function", self.model.source);
        function.rsplit_once('.').unwrap_or(("", function))
    }

    fn arguments(&self, call: Node<'_>) -> Vec<&'a str> {
        let list = syntax::listed(call, "arguments");
        list.into_iter().map(|n| syntax::text(n, self.model.source)).collect()
    }

    fn takes_test(&self, call: Node<'_>) -> bool {
        self.arguments(call).iter().any(|text| self.tests.contains(*text))
    }

    /// `if true { t.Fatal() }` is no condition.
    fn plain_if(&self, statement: Node<'_>) -> Option<Plain> {
        let body = statement.child_by_field_name("consequence")?;
        match field(statement, "condition", self.model.source) {
            "true" => statements(body).into_iter().find_map(|s| self.plain(s)),
            "false" if statement.child_by_field_name("alternative").is_none() => Some(Plain::Holds),
            _ => None,
        }
    }

    fn is_check(&self, call: Node<'_>) -> bool {
        let (holder, name) = self.callee(call);
        if call.parent().is_some_and(|p| self.plain(p) == Some(Plain::Holds)) {
            return false;
        }
        if self.tests.contains(holder) {
            // A named function as a subtest, besides what the test itself offers.
            return self.model.is(call, Role::Fails)
                || self.arguments(call).iter().any(|a| self.helpers.checking.contains(*a));
        }
        if self.model.is(call, Role::Outright) {
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
            || given.iter().any(|a| self.checkers.contains(*a))
    }
}

impl Statements for Body<'_> {
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
        let of_test = self.tests.contains(holder);
        if self.model.is(call, Role::Outright) || of_test && self.model.is(call, Role::Fails) {
            return Some(Plain::Fails);
        }
        if of_test && self.model.is(call, Role::Skips) {
            return Some(Plain::Skips);
        }
        let tested = self.takes_test(call) || self.checkers.contains(holder);
        if !tested || self.helpers.known.contains(name) {
            return None;
        }
        let mut values = self.arguments(call);
        values.retain(|text| !self.tests.contains(*text));
        match (name.trim_end_matches('f'), values.as_slice()) {
            ("Fail" | "FailNow", _) | ("True", ["false", ..]) | ("False", ["true", ..]) => {
                Some(Plain::Fails)
            }
            ("True", ["true", ..]) | ("False", ["false", ..]) => Some(Plain::Holds),
            ("Equal", [a, b, ..]) if is_plain(a) && is_plain(b) => Some(Plain::held(a == b)),
            _ => None,
        }
    }

    fn checks(&self, node: Node<'_>) -> bool {
        let open = |n: Node<'_>| self.plain(n) != Some(Plain::Holds);
        syntax::nodes_into(node, open).any(|n| n.kind() == "call_expression" && self.is_check(n))
    }

    fn leaves(&self, statement: Node<'_>) -> bool {
        self.model.leaves(statement)
    }
}

fn is_testing(kind: &str) -> bool {
    let kind = kind.trim_start_matches('*');
    matches!(kind, "testing.T" | "testing.TB" | "testing.F" | "testing.B" | "T" | "F" | "TB")
}

fn is_plain(text: &str) -> bool {
    is_literal(text) || text == "nil"
}
