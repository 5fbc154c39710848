//! Conditions that fail a test: they are asked as before, and tell what they compare.

use super::hoist::{Class, Part, arguments, root};
use super::sites::Sites;
use proctor_lang::syntax::{field, nodes_into, text};
use std::ops::Range;
use tree_sitter::Node;

/// When a condition is bad for the test, as the channel counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bad {
    IfTrue,
    IfFalse,
    /// What follows says more.
    Later,
}

impl Bad {
    /// Which answer is fine, where one alone is.
    fn fine(self) -> Option<bool> {
        match self {
            Self::IfTrue => Some(false),
            Self::IfFalse => Some(true),
            Self::Later => None,
        }
    }

    fn number(self) -> u8 {
        match self {
            Self::IfTrue => 0,
            Self::IfFalse => 1,
            Self::Later => 2,
        }
    }
}

impl<'t> Sites<'_> {
    /// Puts a condition into a function that tells what it sees.
    pub(super) fn observed(&mut self, condition: Node<'t>, bad: Bad) {
        let site = self.site();
        let (start, end) = (condition.start_byte(), condition.end_byte());
        let (fine, bad) = (bad.fine(), bad.number());
        if asks_for_panics(condition, self.source) {
            // Only the deferred function itself is told.
            self.places.put(start, format!("obBool({site}, {bad}, "));
            self.visit(condition);
            self.places.put(end, ")");
            return;
        }
        let open = format!("obIf({site}, {bad}, func(obS *obSeen) bool {{ return ");
        self.places.put(start, open);
        self.condition(condition, fine);
        self.places.put(end, " })");
    }

    /// `fine` is the answer that each part must give alone, where that is one.
    fn condition(&mut self, node: Node<'t>, fine: Option<bool>) {
        let sides = node.child_by_field_name("left").zip(node.child_by_field_name("right"));
        match (node.kind(), sides) {
            ("parenthesized_expression", _) => {
                if let Some(inner) = node.named_child(0) {
                    self.condition(inner, fine);
                }
            }
            ("unary_expression", _) if field(node, "operator", self.source) == "!" => {
                if let Some(inner) = node.child_by_field_name("operand") {
                    self.condition(inner, fine.map(|fine| !fine));
                }
            }
            ("binary_expression", Some((left, right))) => {
                match field(node, "operator", self.source) {
                    operator @ ("&&" | "||") => {
                        let fine = fine.filter(|fine| *fine == (operator == "&&"));
                        self.condition(left, fine);
                        self.condition(right, fine);
                    }
                    operator => {
                        let operator = operator.to_owned();
                        self.comparison(node, [left, right], (&operator, fine));
                    }
                }
            }
            ("call_expression", _) => self.question(node, fine),
            _ => self.in_place(node, "asked", &[]),
        }
    }

    fn comparison(
        &mut self,
        node: Node<'t>,
        sides: [Node<'t>; 2],
        (operator, fine): (&str, Option<bool>),
    ) {
        let [left, right] = sides;
        let same = matches!((operator, fine), ("==", Some(true)) | ("!=", Some(false)));
        let how = if same { "same" } else { "saw" };
        let parts = [self.part(left, 0), self.part(right, 1)];
        let unknown = parts.iter().any(|p| p.class == Class::Unknown);
        if unknown || !parts.iter().any(Part::is_held) {
            self.in_place(node, how, &parts);
            return;
        }
        let [a, b] = &parts;
        let told = self.told(&parts);
        let close = format!("return obS.{how}({} {operator} {}{told}) }}()", a.again(), b.again());
        self.hoisted(node.byte_range(), &parts, "func() bool { ", &close);
    }

    /// A call that says yes or no, with what it is given.
    fn question(&mut self, call: Node<'t>, fine: Option<bool>) {
        let agrees = fine == Some(true) && field(call, "function", self.source).contains("Equal");
        let how = if agrees { "agrees" } else { "asked" };
        let parts = self.parts(call);
        let Some((parts, callee)) = parts else {
            self.in_place(call, how, &[]);
            return;
        };
        let unknown = parts.iter().any(|p| p.class == Class::Unknown);
        if unknown || !parts.iter().any(Part::is_held) {
            self.in_place(call, how, &parts);
            return;
        }
        let (again, told) = (called(&callee, &parts), self.told(&parts));
        let close = format!("return obS.{how}({again}{told}) }}()");
        self.hoisted(call.byte_range(), &parts, "func() bool { ", &close);
    }

    /// Leaves an expression where it is and tells what can be written again.
    fn in_place(&mut self, node: Node<'t>, how: &str, parts: &[Part<'t>]) {
        let plain = || parts.iter().filter(|p| p.class == Class::Plain);
        let sides = plain().map(|p| p.told(self.source));
        let told: String = sides.chain(plain().map(|p| p.more(self.source))).collect();
        self.places.put(node.start_byte(), format!("obS.{how}("));
        self.visit(node);
        self.places.put(node.end_byte(), format!("{told})"));
    }

    pub(super) fn part(&self, node: Node<'t>, place: usize) -> Part<'t> {
        Part::new(node, place, &self.names, self.source)
    }

    pub(super) fn told(&self, parts: &[Part<'t>]) -> String {
        let sides = parts.iter().map(|p| p.told(self.source));
        sides.chain(parts.iter().map(|p| p.more(self.source))).collect()
    }

    /// The arguments of a call, and what it is called on where that is told too; none where it can't be taken apart.
    pub(super) fn parts(&self, call: Node<'t>) -> Option<(Vec<Part<'t>>, Callee)> {
        let function = call.child_by_field_name("function")?;
        let given = arguments(call)?;
        let mut parts = Vec::new();
        let callee = match function.child_by_field_name("operand") {
            Some(holder) if function.kind() == "selector_expression" => {
                let method = field(function, "field", self.source).to_owned();
                let part = self.part(holder, 0);
                let value = self.names.is_local(text(root(holder), self.source));
                match part.class {
                    // What a call gives has no place: a copy of it is as good.
                    Class::Value if holder.kind() == "call_expression" => {
                        parts.push(part);
                        Callee::Method(method)
                    }
                    Class::Plain if value && !self.names.is_test(text(holder, self.source)) => {
                        parts.push(part);
                        Callee::Method(method)
                    }
                    Class::Plain => Callee::Function(text(function, self.source).to_owned()),
                    _ => return None,
                }
            }
            _ if function.kind() == "identifier" => {
                Callee::Function(text(function, self.source).to_owned())
            }
            _ => return None,
        };
        if call.child_by_field_name("type_arguments").is_some() {
            return None;
        }
        for argument in given {
            parts.push(self.part(argument, parts.len()));
        }
        Some((parts, callee))
    }

    /// Holds the operands of an expression before it is written again.
    pub(super) fn hoisted(
        &mut self,
        whole: Range<usize>,
        parts: &[Part<'t>],
        open: &str,
        close: &str,
    ) {
        let (mut at, mut before) = (whole.start, open);
        for part in parts.iter().filter(|p| p.is_held()) {
            let range = part.range();
            self.places.replace(at..range.start, format!("{before}{}", part.held()));
            self.visit(part.node);
            (at, before) = (range.end, "; ");
        }
        let before = if before == open { open } else { "; " };
        self.places.replace(at..whole.end, format!("{before}{close}"));
    }
}

/// What is called.
pub(super) enum Callee {
    Function(String),
    /// On the first of the parts.
    Method(String),
}

/// A call, written again.
pub(super) fn called(callee: &Callee, parts: &[Part<'_>]) -> String {
    let given = |parts: &[Part<'_>]| parts.iter().map(Part::again).collect::<Vec<_>>().join(", ");
    match (callee, parts) {
        (Callee::Method(name), [holder, rest @ ..]) => {
            format!("{}.{name}({})", holder.again(), given(rest))
        }
        (Callee::Function(name) | Callee::Method(name), _) => format!("{name}({})", given(parts)),
    }
}

fn asks_for_panics(node: Node<'_>, source: &str) -> bool {
    nodes_into(node, |n| n.kind() != "func_literal")
        .any(|n| n.kind() == "call_expression" && field(n, "function", source) == "recover")
}
