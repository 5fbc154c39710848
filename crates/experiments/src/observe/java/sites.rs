//! The checks of one test, and what stands around them in a copy of it: each is done as it is written, with its values
//! handed on as they pass, and what it throws goes no further.

use super::condition::compares;
use crate::observe::places::Places;
use crate::observe::{Source, put};
use proctor_lang::java::checks::{Asks, Check, Role, arguments, check};
use proctor_lang::syntax::{above, children, field, nodes_into, text};
use std::collections::BTreeSet;
use tree_sitter::Node;

pub(super) struct Sites<'s, 't> {
    pub(super) source: &'s str,
    body: Node<'t>,
    /// Methods that tell themselves what they see.
    helped: &'s BTreeSet<String>,
    pub(super) places: Places,
}

/// What becomes of an exception in a check.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Caught {
    /// It goes no further.
    Here,
    /// What is no failed assertion is for the test's own `catch`.
    Passed,
    /// The test itself looks at failed assertions.
    All,
}

impl<'s, 't> Sites<'s, 't> {
    /// The checks of a body; they are counted from `first`.
    pub(super) fn of(source: &'s Source<'_>, body: Node<'t>, first: usize) -> Self {
        let places = Places::new("", first);
        let mut sites = Self { source: source.text, body, helped: &source.helped, places };
        sites.visit(body);
        sites
    }

    fn check(&self, call: Node<'t>) -> Option<Check<'t>> {
        check(call, self.source).filter(|found| !self.helped.contains(&found.name))
    }

    pub(super) fn put(&mut self, at: usize, text: impl Into<String>) {
        self.places.put(at, text);
    }

    fn visit(&mut self, node: Node<'t>) {
        match node.kind() {
            "expression_statement" => {
                let call = node.named_child(0).and_then(|n| self.check(n));
                match call.filter(|_| !assigns(node)) {
                    Some(found) => self.statement(node, &found, ""),
                    None => self.below(node),
                }
            }
            "lambda_expression" => {
                let body = node.child_by_field_name("body");
                match body.and_then(|b| Some((b, self.check(b)?))) {
                    Some((body, found)) if found.asks != Asks::Raises && !assigns(body) => {
                        self.statement(body, &found, ";");
                    }
                    _ => self.below(node),
                }
            }
            "assert_statement" => self.assert(node),
            "method_invocation" => match self.check(node) {
                Some(found) if gives_exception(node, &found) => self.expression(node),
                _ => self.below(node),
            },
            "try_statement" | "try_with_resources_statement" => self.tried(node),
            _ => self.below(node),
        }
    }

    fn below(&mut self, node: Node<'t>) {
        for child in children(node) {
            self.visit(child);
        }
    }

    /// A check that stands alone, with what closes it where it is the body of a function.
    fn statement(&mut self, node: Node<'t>, found: &Check<'t>, closing: &str) {
        let site = self.places.number();
        self.open(node, site, self.kind(found));
        match node.named_child(0).filter(|call| gives_exception(*call, found)) {
            // The exception is what such a check gives back.
            Some(call) => {
                self.places.around(call, format!("ob_s{site}.threw("), ")");
            }
            None => self.sides(site, found),
        }
        self.close(node, site, closing);
    }

    /// What is compared, in a word for whoever reads the rows.
    fn kind(&self, found: &Check<'t>) -> &'static str {
        let asked = found.given.iter().find(|(_, role)| *role == Role::Actual);
        match found.asks {
            Asks::Same => "eq",
            Asks::Truth if asked.is_some_and(|(n, _)| compares(*n, self.source)) => "eq",
            Asks::Truth => "truth",
            Asks::Raises => "raises",
            Asks::Chain | Asks::Matched if is_equality(found, self.source) => "eq",
            Asks::Matched | Asks::Chain | Asks::All | Asks::Other => "other",
        }
    }

    fn open(&mut self, node: Node<'t>, site: usize, kind: &str) {
        let look = format!(
            "{{ final {}.Look ob_s{site} = ob_.look({site}, \"{kind}\"); try {{ ",
            super::CLASS
        );
        self.put(node.start_byte(), look);
    }

    fn close(&mut self, node: Node<'t>, site: usize, closing: &str) {
        let how = match self.caught(node) {
            Caught::Here => "broke",
            Caught::Passed => "passOn",
            Caught::All => "passAll",
        };
        let close = format!(
            "{closing} ob_s{site}.held(); }} catch (java.lang.Throwable ob_e{site}) {{ ob_s{site}.{how}(ob_e{site}); }} }}"
        );
        self.put(node.end_byte(), close);
    }

    /// A check whose exception is used.
    fn expression(&mut self, call: Node<'t>) {
        let site = self.places.number();
        self.places.around(call, format!("ob_.thrown({site}, () -> "), ")");
    }

    fn assert(&mut self, node: Node<'t>) {
        let Some(condition) = node.named_child(0) else { return };
        let site = self.places.number();
        self.open(node, site, if compares(condition, self.source) { "eq" } else { "truth" });
        let (start, end) = (node.start_byte(), node.end_byte());
        self.places.replace(start..condition.start_byte(), format!("ob_s{site}.holds("));
        self.condition(site, condition, &mut 0);
        self.places.replace(condition.end_byte()..end, ");");
        self.close(node, site, "");
    }

    /// Hands on what a check is given.
    fn sides(&mut self, site: usize, found: &Check<'t>) {
        match found.asks {
            Asks::Same => {
                for (node, role) in &found.given {
                    match role {
                        Role::Actual => self.see(site, 0, *node),
                        Role::Expected => self.see(site, 1, *node),
                        Role::Said => {}
                    }
                }
            }
            Asks::Truth => {
                let asked = found.given.iter().find(|(_, role)| *role == Role::Actual);
                match asked {
                    Some((node, _)) if found.name.ends_with("Null") => self.see(site, 0, *node),
                    Some((node, _)) => self.condition(site, *node, &mut 0),
                    None => {}
                }
            }
            Asks::Matched => {
                for (node, role) in &found.given {
                    match role {
                        Role::Actual => self.see(site, 0, *node),
                        Role::Expected => self.matcher(site, *node, &mut 1),
                        Role::Said => {}
                    }
                }
            }
            Asks::Chain | Asks::Raises if found.root.parent().is_some_and(is_call) => {
                self.chain(site, found);
            }
            Asks::Raises | Asks::Chain => {}
            // Its parts are checks of their own; of what is not known only the end is.
            Asks::All | Asks::Other => {
                for (node, _) in &found.given {
                    self.visit(*node);
                }
            }
        }
    }

    /// `assertThat(x).isEqualTo(y)`: the value is asked of what stands first, for which there are many forms.
    fn chain(&mut self, site: usize, found: &Check<'t>) {
        let root = found.root;
        // Only what runs the code knows what was thrown.
        let seen = match root.parent() {
            Some(next) if field(next, "name", self.source).starts_with("isThrownBy") => next,
            _ => root,
        };
        self.put(root.start_byte(), format!("ob_s{site}.of("));
        let held = root != seen;
        if !held {
            self.put(root.end_byte(), ")");
        }
        let mut place = 1;
        for (node, role) in &found.given {
            let own = node.end_byte() <= seen.end_byte();
            if *role == Role::Expected && !own {
                self.see(site, place, *node);
                place += 1;
            }
        }
        if held {
            self.put(seen.end_byte(), ")");
        }
    }

    /// The values inside of matchers.
    fn matcher(&mut self, site: usize, node: Node<'t>, place: &mut usize) {
        let bare = node.kind() == "method_invocation"
            && (node.child_by_field_name("object").is_none()
                || field(node, "object", self.source).ends_with("Matchers"));
        if bare {
            for argument in arguments(node) {
                self.matcher(site, argument, place);
            }
        } else {
            self.see(site, *place, node);
            *place += 1;
        }
    }

    /// Hands a value on as it passes.
    pub(super) fn see(&mut self, site: usize, place: usize, node: Node<'t>) {
        let typeless =
            ["null_literal", "lambda_expression", "method_reference", "array_initializer"];
        if typeless.contains(&node.kind()) {
            return;
        }
        self.places.around(node, format!("ob_s{site}.see({place}, "), ")");
    }

    /// A block whose exceptions are caught: the compiler must still believe that they can come.
    fn tried(&mut self, node: Node<'t>) {
        let before = self.places.next;
        let Some(body) = node.child_by_field_name("body") else { return self.below(node) };
        let types = self.caught_by(node);
        let at = self.places.found.len();
        self.visit(body);
        if self.places.next > before {
            let may: Vec<String> = types.iter().map(|t| format!(" ob_.<{t}>may();")).collect();
            let start = body.start_byte() + 1;
            self.places.found.insert(at, put(start, start, may.concat()));
        }
        for child in children(node).into_iter().filter(|n| *n != body) {
            self.visit(child);
        }
    }

    /// The types that a `try` catches.
    fn caught_by(&self, tried: Node<'t>) -> Vec<String> {
        let mut found = Vec::new();
        for clause in children(tried).into_iter().filter(|n| n.kind() == "catch_clause") {
            let types = nodes_into(clause, |n| n.kind() != "block");
            for types in types.filter(|n| n.kind() == "catch_type") {
                found.extend(children(types).iter().map(|t| text(*t, self.source).to_owned()));
            }
        }
        found
    }

    fn caught(&self, node: Node<'t>) -> Caught {
        let mut caught = Caught::Here;
        let mut inner = node;
        for outer in above(self.body, node) {
            if matches!(outer.kind(), "lambda_expression" | "class_body") {
                break;
            }
            if outer.child_by_field_name("body") == Some(inner) && outer.kind().starts_with("try") {
                for name in self.caught_by(outer) {
                    let last = name.rsplit('.').next().unwrap_or(&name);
                    let fails = ["Throwable", "Error", "AssertionError"].contains(&last)
                        || last.contains("Fail");
                    caught = match caught {
                        _ if fails => return Caught::All,
                        _ => Caught::Passed,
                    };
                }
            }
            inner = outer;
        }
        caught
    }
}

/// Whether a call is one that gives back what was thrown.
fn gives_exception(call: Node<'_>, found: &Check<'_>) -> bool {
    found.asks == Asks::Raises && found.root == call && !found.name.starts_with("assertThat")
}

/// `assertThat(x).isEqualTo(y)`, `assertThat(x, is(y))`.
fn is_equality(found: &Check<'_>, source: &str) -> bool {
    let name = match found.asks {
        Asks::Chain => found.root.parent().map_or("", |next| field(next, "name", source)),
        _ => found.given.last().map_or("", |(n, _)| field(*n, "name", source)),
    };
    ["isEqualTo", "is", "equalTo", "containsExactly", "isSameAs"].contains(&name)
}

fn is_call(node: Node<'_>) -> bool {
    node.kind() == "method_invocation"
}

/// Whether a statement gives a variable its value: that must stay where it is.
fn assigns(node: Node<'_>) -> bool {
    let into = |n: Node<'_>| !matches!(n.kind(), "lambda_expression" | "class_body");
    nodes_into(node, into).any(|n| n.kind() == "assignment_expression")
}
