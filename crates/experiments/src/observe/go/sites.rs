//! The places in a test that ask something or fail, and what is written there instead. They are counted in the order of the
//! source, so that they have the same numbers in every copy.

use super::condition::{Bad, Callee, called};
use super::hoist::{Class, Part};
use super::names::{Names, is_labelled};
use crate::observe::Source;
use crate::observe::places::Places;
use proctor_lang::Words;
use proctor_lang::syntax::{children, field, nodes, text};
use proctor_lang::{Role, TestModel};
use tree_sitter::Node;

/// What takes one value: a call in the place of its arguments gives one.
const OF_ONE: Words =
    Words("True False Nil NotNil NoError Error Empty NotEmpty Zero NotZero NoErr");

pub(super) struct Sites<'s> {
    pub(super) source: &'s str,
    model: &'s TestModel<'s>,
    pub(super) names: Names,
    pub(super) places: Places,
}

impl<'s> Sites<'s> {
    /// The places of one function's body.
    pub(super) fn of(
        source: &'s Source<'_>,
        body: Node<'_>,
        (names, places): (Names, Places),
    ) -> Places {
        let mut sites = Self { source: source.text, model: &source.model, names, places };
        sites.visit(body);
        sites.places
    }
}

impl<'s, 't> Sites<'s> {
    pub(super) fn site(&mut self) -> String {
        self.places.site()
    }

    pub(super) fn visit(&mut self, node: Node<'t>) {
        match node.kind() {
            "if_statement" => self.branch(node),
            "expression_switch_statement" => self.switch(node),
            "expression_statement" => match node.named_child(0) {
                Some(call) if call.kind() == "call_expression" && self.statement(call) => {}
                Some(inner) => self.visit(inner),
                None => {}
            },
            "go_statement" => {
                let function = node.named_child(0).and_then(|c| c.child_by_field_name("function"));
                if let Some(function) = function.filter(|f| f.kind() == "func_literal") {
                    self.guard(function, "nil");
                }
                self.below(node);
            }
            "call_expression" => self.call(node),
            _ => self.below(node),
        }
    }

    fn below(&mut self, node: Node<'t>) {
        for child in children(node) {
            self.visit(child);
        }
    }

    fn branch(&mut self, node: Node<'t>) {
        let part = |name| node.child_by_field_name(name);
        if let Some(first) = part("initializer") {
            self.visit(first);
        }
        let (body, other) = (part("consequence"), part("alternative"));
        let fails = |block: Option<Node<'t>>| block.is_some_and(|b| self.fails(b));
        let bad = match (fails(body), fails(other)) {
            (true, _) => Some(Bad::IfTrue),
            (_, true) => Some(Bad::IfFalse),
            _ => [body, other].into_iter().flatten().any(|b| self.asks(b)).then_some(Bad::Later),
        };
        match (part("condition"), bad) {
            (Some(condition), Some(bad)) => self.observed(condition, bad),
            (Some(condition), None) => self.visit(condition),
            _ => {}
        }
        for block in [body, other].into_iter().flatten() {
            self.visit(block);
        }
    }

    /// A switch over conditions, or over a value that is told before.
    fn switch(&mut self, node: Node<'t>) {
        let value = node.child_by_field_name("value");
        if let Some(value) = value {
            let plain = self.part(value, 0).class == Class::Plain;
            let alone = node.child_by_field_name("initializer").is_none() && !is_labelled(node);
            if plain && alone && self.asks(node) {
                let site = self.site();
                let told = text(value, self.source);
                let before = format!("obSaw({site}, {told}); ");
                self.places.put(node.start_byte(), before);
            }
            self.below(node);
            return;
        }
        for case in children(node) {
            let conditions = case.child_by_field_name("value").map(children);
            let (Some(conditions), "expression_case") = (conditions, case.kind()) else {
                self.visit(case);
                continue;
            };
            let bad = match (self.fails(case), self.asks(case)) {
                (true, _) => Some(Bad::IfTrue),
                (_, true) => Some(Bad::Later),
                _ => None,
            };
            for condition in &conditions {
                match bad {
                    Some(bad) => self.observed(*condition, bad),
                    None => self.visit(*condition),
                }
            }
            let list = case.child_by_field_name("value");
            for child in children(case).into_iter().filter(|n| Some(*n) != list) {
                self.visit(child);
            }
        }
    }

    /// Whether a block fails the test whenever it is run.
    fn fails(&self, block: Node<'t>) -> bool {
        children(block).into_iter().any(|n| match n.kind() {
            "statement_list" => self.fails(n),
            "expression_statement" => n.named_child(0).is_some_and(|c| self.is_failing(c)),
            _ => false,
        })
    }

    /// Whether something below a node fails the test or checks.
    fn asks(&self, node: Node<'t>) -> bool {
        nodes(node).filter(|n| n.kind() == "call_expression").any(|n| {
            let (holder, name) = self.callee(n);
            self.is_failing(n)
                || self.names.is_library(holder)
                || self.names.checks(holder)
                || self.names.is_suite(holder, name)
        })
    }

    /// What a call is made on, and its name.
    fn callee(&self, call: Node<'t>) -> (&'s str, &'s str) {
        let function = field(call, "function", self.source);
        function.rsplit_once('.').unwrap_or(("", function))
    }

    /// Fails the test by the testing value, or ends everything.
    fn is_failing(&self, call: Node<'t>) -> bool {
        self.model.is(call, Role::Outright) || self.fails_by_test(call)
    }

    fn fails_by_test(&self, call: Node<'t>) -> bool {
        self.model.is(call, Role::Fails) && self.names.is_test(self.callee(call).0)
    }

    /// A call that stands alone; whether it was taken care of.
    fn statement(&mut self, call: Node<'t>) -> bool {
        let (holder, name) = self.callee(call);
        if self.names.is_test(holder) && name == "Parallel" {
            // What it tells would come in another order each time.
            let copy = self.places.at.split(',').next().unwrap_or_default();
            let text = format!("obParallel({copy}, {holder})");
            self.places.replace(call.byte_range(), text);
            return true;
        }
        if self.names.is_test(holder) || name == "Run" {
            return false;
        }
        if self.names.is_library(holder) {
            return self.library(call);
        }
        let suite = self.names.is_suite(holder, name);
        if suite || self.names.checks(holder) {
            return self.method(call, suite, name);
        }
        self.model.is(call, Role::Assertion) && !self.names.is_helped(name) && self.own(call)
    }

    /// `assert.Equal(t, a, b)`: what it is given is told, and it gets a testing value that fails nothing.
    fn library(&mut self, call: Node<'t>) -> bool {
        let Some((mut parts, callee)) = self.parts(call) else { return false };
        let first = parts.first().map(|p| p.again().to_owned()).unwrap_or_default();
        if !self.names.is_test(&first) || parts.iter().any(|p| p.class == Class::Unknown) {
            return false;
        }
        parts.remove(0);
        let (site, told) = (self.site(), self.told(&parts));
        let value = format!("obNew({site}, {first})");
        let again = with_first(&callee, &value, &parts);
        let close = format!("obS.see({}); {again} }})", told.trim_start_matches(", "));
        let kind = asks(field(call, "function", self.source));
        let open = format!("obCall({site}, func(obS *obSeen) {{ obS.asks({kind:?}); ");
        self.hoisted(call.byte_range(), &parts, &open, &close);
        true
    }

    /// `assert.Equal(a, b)` of something that was made of a testing value, and the same of a suite.
    fn method(&mut self, call: Node<'t>, of_suite: bool, name: &str) -> bool {
        let function = field(call, "function", self.source).to_owned();
        let Some(given) = super::hoist::arguments(call) else { return false };
        let one_of_several = given.len() == 1
            && given.iter().any(|n| n.kind() == "call_expression")
            && !OF_ONE.has(name);
        let parts: Vec<_> =
            given.into_iter().enumerate().map(|(place, n)| self.part(n, place)).collect();
        if one_of_several || parts.iter().any(|p| p.class == Class::Unknown) {
            return false;
        }
        let (place, told) = (self.site(), self.told(&parts));
        let again = called(&Callee::Function(function), &parts);
        let close = format!("obS.see({}); {again} }})", told.trim_start_matches(", "));
        let kind = asks(name);
        let open = match self.names.suite.as_ref().filter(|_| of_suite) {
            Some(suite) => {
                format!("obSuite({place}, {suite}.Run, func(obS *obSeen) {{ obS.asks({kind:?}); ")
            }
            None => format!("obCall({place}, func(obS *obSeen) {{ obS.asks({kind:?}); "),
        };
        self.hoisted(call.byte_range(), &parts, &open, &close);
        true
    }

    /// `checkEqual(t, a, b)` of the project: as a subtest, since it asks for a real testing value.
    fn own(&mut self, call: Node<'t>) -> bool {
        let Some((parts, callee)) = self.parts(call) else { return false };
        let is_test = |p: &&Part<'t>| self.names.sure(p.again()).is_some();
        let Some(test) = parts.iter().find(is_test).map(|p| p.again().to_owned()) else {
            return false;
        };
        if parts.iter().any(|p| p.class == Class::Unknown) {
            return false;
        }
        let kind = self.names.sure(&test).unwrap_or_default().to_owned();
        let told: String =
            parts.iter().filter(|p| p.again() != test).map(|p| p.told(self.source)).collect();
        let site = self.site();
        let asks = asks(field(call, "function", self.source));
        let open = format!(
            "obSub({site}, {test}, func(obS *obSeen, {test} {kind}) {{ obS.asks({asks:?}); "
        );
        let again = called(&callee, &parts);
        let close = format!("obS.see({}); {again} }})", told.trim_start_matches(", "));
        self.hoisted(call.byte_range(), &parts, &open, &close);
        true
    }

    fn call(&mut self, call: Node<'t>) {
        let function = call.child_by_field_name("function");
        let (holder, name) = self.callee(call);
        let given = super::hoist::arguments(call).unwrap_or_default();
        if self.fails_by_test(call) {
            let (site, form) = (self.site(), if name.ends_with('f') { "f" } else { "" });
            let text = format!("obFail{form}({site}, {holder}, {name:?})");
            if let Some(function) = function {
                self.places.replace(function.byte_range(), text);
            }
            if let Some(arguments) = call.child_by_field_name("arguments") {
                self.below(arguments);
            }
            return;
        }
        if let Some(last) = given.last() {
            let of_test = self.names.is_test(holder);
            let runs = of_test || self.names.checks(holder) || Some(holder) == self.suite();
            match (name, last.kind()) {
                ("Run", "func_literal") if runs => {
                    let of = self.given_test(*last);
                    self.guard(*last, &of);
                }
                ("Run", "identifier" | "selector_expression") if of_test => {
                    let open = format!("obWrap({}, ", self.site());
                    self.places.around(*last, open, ")");
                }
                ("Cleanup", "func_literal") if of_test => self.guard(*last, "nil"),
                _ => {}
            }
        }
        if self.names.is_library(holder)
            && let Some(first) = given.first().filter(|n| self.is_named_test(**n))
        {
            let open = format!("obNew({}, ", self.site());
            self.places.around(*first, open, ")");
        }
        self.below(call);
    }

    fn suite(&self) -> Option<&str> {
        self.names.suite.as_deref()
    }

    fn is_named_test(&self, node: Node<'t>) -> bool {
        self.names.is_test(text(node, self.source))
    }

    /// What a function calls the testing value that it is given.
    fn given_test(&self, function: Node<'t>) -> String {
        let first = function.child_by_field_name("parameters").and_then(|p| p.named_child(0));
        let name = first.map_or("", |n| field(n, "name", self.source));
        if self.names.is_test(name) && name != "_" { name.to_owned() } else { "nil".to_owned() }
    }

    /// A function that runs apart must not end everything by a panic.
    fn guard(&mut self, function: Node<'t>, of: &str) {
        let Some(body) = function.child_by_field_name("body") else { return };
        let inside = body.start_byte() + 1;
        let told = format!("obTold({})", self.places.at);
        let text = format!(" defer obGuard({}, {told}, {of});", self.site());
        self.places.put(inside, text);
    }
}

/// What a check asks, by its name.
fn asks(function: &str) -> &'static str {
    let name = function.rsplit('.').next().unwrap_or(function);
    let turned = name.contains("Not") || name.contains("Delta");
    match name {
        "True" | "False" | "Nil" | "NotNil" | "NoError" | "Empty" | "NotEmpty" | "Zero" => "truth",
        _ if name.contains("Panic") || name.starts_with("Error") => "raises",
        _ if !turned && (name.contains("Eq") || name == "Len" || name == "Same") => "eq",
        _ if !turned && name == "Contains" => "part",
        _ => "other",
    }
}

/// A call, written again with another first argument.
fn with_first(callee: &Callee, first: &str, parts: &[Part<'_>]) -> String {
    let again = called(callee, parts);
    let comma = if parts.is_empty() { "" } else { ", " };
    match again.split_once('(') {
        Some((name, rest)) => format!("{name}({first}{comma}{rest}"),
        None => again,
    }
}
