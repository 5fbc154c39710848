//! Operands and arguments that are told without being worked out twice. One is written again where that does nothing, or
//! it is put into a variable or a constant before. Literals stay where they are, once: other inputs are put there.

use super::names::Names;
use proctor_lang::Words;
use proctor_lang::syntax::{children, field, nodes, text};
use std::ops::Range;
use tree_sitter::Node;

/// What can be done with an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Names and what they hold: it can be written again.
    Plain,
    /// Nothing but literals: a constant holds it and takes any type, as it did.
    Constant,
    /// A value that has a type of its own: a variable holds it.
    Value,
    /// Perhaps a constant without a type: it must stay where it is.
    Unknown,
}

pub(super) struct Part<'t> {
    pub(super) node: Node<'t>,
    pub(super) class: Class,
    /// How it is called once it is held.
    name: String,
    /// How it is written.
    said: String,
}

impl<'t> Part<'t> {
    pub(super) fn new(node: Node<'t>, place: usize, names: &Names, source: &str) -> Self {
        let class = class(node, names, source);
        let said = text(node, source).to_owned();
        Self { node, class, name: format!("obA{place}"), said }
    }

    pub(super) fn is_held(&self) -> bool {
        matches!(self.class, Class::Constant | Class::Value)
    }

    /// What stands in its place afterwards.
    pub(super) fn again(&self) -> &str {
        if self.is_held() { &self.name } else { &self.said }
    }

    /// What is told of it, after a comma.
    pub(super) fn told(&self, source: &str) -> String {
        match self.class {
            Class::Unknown => String::new(),
            // What is no `int` does not go where anything goes.
            Class::Plain if self.said.contains("MaxUint") => String::new(),
            Class::Constant if is_large(self.node, source) => format!(", float64({})", self.name),
            _ => format!(", {}", self.again()),
        }
    }

    /// What stands behind it, after a comma: a length alone says little, nor does that there is an error.
    pub(super) fn more(&self, source: &str) -> String {
        let of = match self.class {
            Class::Value => measured(self.node, source),
            Class::Plain => held_against_nothing(self.node, source),
            Class::Constant | Class::Unknown => None,
        };
        of.map(|of| format!(", {of}")).unwrap_or_default()
    }

    /// The beginning of what holds it.
    pub(super) fn held(&self) -> String {
        match self.class {
            Class::Constant => format!("const {} = ", self.name),
            _ => format!("{} := ", self.name),
        }
    }

    pub(super) fn range(&self) -> Range<usize> {
        self.node.byte_range()
    }
}

pub(super) fn class(node: Node<'_>, names: &Names, source: &str) -> Class {
    let reached = Words(
        "identifier field_identifier selector_expression index_expression nil slice_expression package_identifier",
    );
    let open =
        Words("true false rune_literal escape_sequence parenthesized_expression binary_expression");
    let (mut plain, mut constant) = (true, true);
    for n in nodes(node) {
        match n.kind() {
            kind if reached.has(kind) => constant = false,
            kind if open.has(kind) => {}
            "unary_expression" => {
                let operator = field(n, "operator", source);
                plain &= operator != "<-";
                constant &= !matches!(operator, "<-" | "*" | "&");
            }
            "int_literal" | "float_literal" | "imaginary_literal" => plain = false,
            kind if kind.starts_with("interpreted_string") || kind.starts_with("raw_string") => {
                plain = false;
            }
            _ => (plain, constant) = (false, false),
        }
    }
    match (plain, constant) {
        (true, _) => Class::Plain,
        (_, true) => Class::Constant,
        _ if has_type(node, names, source) => Class::Value,
        _ => Class::Unknown,
    }
}

const TYPED: Words = Words(
    "call_expression composite_literal func_literal index_expression slice_expression type_assertion_expression \
    type_conversion_expression",
);

/// Whether an expression surely has a type of its own, and is no constant that takes the type it is held against.
fn has_type(node: Node<'_>, names: &Names, source: &str) -> bool {
    let inner = |name| node.child_by_field_name(name);
    let typed = |n: Option<Node<'_>>| n.is_some_and(|n| has_type(n, names, source));
    match node.kind() {
        "identifier" => names.is_local(text(node, source)),
        "selector_expression" => {
            let root = root(node);
            text(root, source) == "time" || has_type(root, names, source)
        }
        kind if TYPED.has(kind) => true,
        "parenthesized_expression" => typed(node.named_child(0)),
        "unary_expression" => {
            matches!(field(node, "operator", source), "&" | "*" | "<-") || typed(inner("operand"))
        }
        "binary_expression" => match field(node, "operator", source) {
            "==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||" => true,
            "<<" | ">>" => typed(inner("left")),
            _ => typed(inner("left")) || typed(inner("right")),
        },
        _ => false,
    }
}

/// What the first name of `a.b.c` is.
pub(super) fn root(node: Node<'_>) -> Node<'_> {
    let mut at = node;
    while let Some(next) =
        at.child_by_field_name("operand").filter(|_| at.kind() == "selector_expression")
    {
        at = next;
    }
    at
}

/// What `len(x)` is the length of, where it can be written again.
fn measured<'s>(node: Node<'_>, source: &'s str) -> Option<&'s str> {
    let is_len = node.kind() == "call_expression" && field(node, "function", source) == "len";
    let given = arguments(node).filter(|_| is_len)?;
    let [one] = given.as_slice() else { return None };
    let named = matches!(one.kind(), "identifier" | "selector_expression");
    let plain = named && matches!(root(*one).kind(), "identifier");
    plain.then(|| text(*one, source))
}

/// What is held against `nil` in `(err != nil)`.
fn held_against_nothing<'s>(node: Node<'_>, source: &'s str) -> Option<&'s str> {
    let inner = node.named_child(0).filter(|_| node.kind() == "parenthesized_expression");
    let inner = inner.filter(|n| n.kind() == "binary_expression")?;
    let (left, right) =
        inner.child_by_field_name("left").zip(inner.child_by_field_name("right"))?;
    (right.kind() == "nil").then(|| text(left, source))
}

/// A number that is no `int`.
fn is_large(node: Node<'_>, source: &str) -> bool {
    nodes(node).filter(|n| n.kind() == "int_literal").any(|n| {
        let said = text(n, source).replace('_', "");
        said.len() > 17 || said.starts_with("0x") && said.len() > 16
    })
}

/// The arguments of a call; none where one of them is a list of several.
pub(super) fn arguments(call: Node<'_>) -> Option<Vec<Node<'_>>> {
    let list = call.child_by_field_name("arguments").filter(|n| n.kind() == "argument_list")?;
    let given: Vec<_> = children(list).into_iter().filter(|n| n.kind() != "comment").collect();
    given.iter().all(|n| is_expression(*n)).then_some(given)
}

/// Neither a type nor a list of several.
fn is_expression(node: Node<'_>) -> bool {
    !node.kind().ends_with("_type")
        && !matches!(node.kind(), "variadic_argument" | "type_identifier" | "qualified_type")
}
