//! Flipped twins of Rust tests. Assertions are macros, whose insides no parser reads: they are read as calls.

use super::change::Reach;
use super::twins::{Flow, Rank, Twins};
use proctor_lang::edit::Edit;
use proctor_lang::literal::{self};
use proctor_lang::syntax;
use proctor_lang::{Language, readable, test_at};
use std::ops::Range;
use tree_sitter::Node;

pub(super) fn flips(source: &str, line: u32) -> Vec<Edit> {
    let open = readable(Language::Rust, source);
    let Some(parsed) = Language::Rust.parse(&open) else {
        return Vec::new();
    };
    let Some(function) = test_at(Language::Rust, parsed.root_node(), &open, line) else {
        return Vec::new();
    };
    if marks(function, &open).iter().any(|m| m.contains("should_panic") || m.contains("ignore")) {
        return Vec::new();
    }
    // The nodes are those of `open`, which has the same bytes in the same places but for the marks of macros.
    let mut test = Test { twins: Twins::new(source, Language::Rust), function };
    if let Some(body) = function.child_by_field_name("body") {
        test.block(body, Around::Body);
    }
    test.twins.done()
}

/// The attributes of an item.
fn marks<'s>(item: Node<'_>, source: &'s str) -> Vec<&'s str> {
    let mut found = Vec::new();
    let mut at = item.prev_named_sibling();
    while let Some(node) = at {
        match node.kind() {
            "attribute_item" => found.push(syntax::text(node, source)),
            "line_comment" | "block_comment" => {}
            _ => break,
        }
        at = node.prev_named_sibling();
    }
    found
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Around {
    Body,
    Loop,
}

struct Test<'t, 's> {
    twins: Twins<'s>,
    function: Node<'t>,
}

impl<'t> Test<'t, '_> {
    fn block(&mut self, block: Node<'t>, around: Around) -> Flow {
        for statement in syntax::children(block) {
            let inner = if statement.kind() == "expression_statement" {
                statement.named_child(0).unwrap_or(statement)
            } else {
                statement
            };
            if self.statement(inner, around) == Flow::MayEnd {
                return Flow::MayEnd;
            }
        }
        Flow::Goes
    }

    fn statement(&mut self, node: Node<'t>, around: Around) -> Flow {
        match node.kind() {
            "call_expression" => {
                self.call(node);
                ends(node, around)
            }
            "block" => self.block(node, around),
            "unsafe_block" => match syntax::children(node).first() {
                Some(inner) => self.block(*inner, around),
                None => Flow::Goes,
            },
            "for_expression" => {
                let (over, body) =
                    (node.child_by_field_name("value"), node.child_by_field_name("body"));
                if let (Some(over), Some(body)) = (over, body)
                    && self.is_filled(over)
                {
                    self.block(body, Around::Loop);
                }
                ends(node, Around::Body)
            }
            _ => ends(node, around),
        }
    }

    fn is_filled(&self, node: Node<'t>) -> bool {
        match node.kind() {
            "reference_expression" | "parenthesized_expression" => {
                syntax::children(node).last().is_some_and(|n| self.is_filled(*n))
            }
            "array_expression" => {
                node.child_by_field_name("length").is_none() && !syntax::children(node).is_empty()
            }
            "range_expression" => {
                let ends: Vec<i64> = syntax::children(node)
                    .into_iter()
                    .filter_map(|n| literal::value(n, self.twins.source)?.parse().ok())
                    .collect();
                matches!(ends.as_slice(), [from, to] if from < to)
            }
            "call_expression" => {
                let function = node.child_by_field_name("function");
                let method = function.filter(|f| {
                    let name = self.twins.field(*f, "field");
                    matches!(
                        name,
                        "iter"
                            | "into_iter"
                            | "iter_mut"
                            | "enumerate"
                            | "rev"
                            | "copied"
                            | "cloned"
                    )
                });
                method
                    .and_then(|f| f.child_by_field_name("value"))
                    .is_some_and(|v| self.is_filled(v))
            }
            "identifier" => self.bound(self.twins.text(node)).is_some_and(|v| self.is_filled(v)),
            _ => false,
        }
    }

    /// What a name is bound to, where that happens once in the test.
    fn bound(&self, name: &str) -> Option<Node<'t>> {
        let mut values = Vec::new();
        syntax::walk(self.function, &|_| true, &mut |n| {
            if n.kind() == "let_declaration"
                && self.twins.field(n, "pattern").trim_start_matches("mut ") == name
            {
                values.push(n.child_by_field_name("value"));
            }
        });
        match values.as_slice() {
            [one] => *one,
            _ => None,
        }
    }

    fn call(&mut self, node: Node<'t>) {
        let Some(function) = node.child_by_field_name("function") else {
            return;
        };
        let path = self.twins.text(function);
        let name = path.rsplit("::").next().unwrap_or(path).trim();
        let kind = name.strip_prefix("debug_").unwrap_or(name);
        let given: Vec<Node<'t>> = node
            .child_by_field_name("arguments")
            .map(syntax::children)
            .unwrap_or_default()
            .into_iter()
            .filter(|n| !n.kind().contains("comment"))
            .collect();
        let range = function.end_byte() - name.len()..function.end_byte();
        match (kind, given.as_slice()) {
            ("assert_eq", [left, right, ..]) => self.equality(name, range, *left, *right),
            ("assert_ne", [left, right, ..]) if depends(*left) || depends(*right) => {
                let turned = name.replace("assert_ne", "assert_eq");
                self.twins.replace(Rank::Turned, range, &turned);
            }
            ("assert", [condition, ..]) if depends(*condition) => self.condition(*condition),
            _ => {}
        }
    }

    fn equality(&mut self, name: &str, at: Range<usize>, left: Node<'t>, right: Node<'t>) {
        if (depends(left) || depends(right)) && !self.other_value(left, right) {
            self.twins.replace(Rank::Turned, at, &name.replace("assert_eq", "assert_ne"));
        }
    }

    fn other_value(&mut self, left: Node<'t>, right: Node<'t>) -> bool {
        [(right, left), (left, right)].into_iter().any(|(side, other)| {
            if !depends(other) {
                return false;
            }
            if self.twins.value(side, Reach::Next) {
                return true;
            }
            // A name that is bound to a literal and used nowhere else.
            let named = (side.kind() == "identifier").then(|| self.twins.text(side));
            let value = named.filter(|name| self.uses(name) == 2).and_then(|name| self.bound(name));
            value.is_some_and(|value| self.twins.value(value, Reach::Next))
        })
    }

    /// How often a name stands in the test.
    fn uses(&self, name: &str) -> usize {
        let mut count = 0;
        syntax::walk(self.function, &|_| true, &mut |n| {
            count += usize::from(n.kind() == "identifier" && self.twins.text(n) == name);
            // What a macro does with it is not known.
            count += 2 * usize::from(n.kind() == "token_tree" && self.twins.text(n).contains(name));
        });
        count
    }

    fn condition(&mut self, node: Node<'t>) {
        let sides = ["left", "right"].map(|side| node.child_by_field_name(side));
        if let ("binary_expression", [Some(left), Some(right)]) = (node.kind(), sides)
            && self.twins.field(node, "operator") == "=="
            && self.other_value(left, right)
        {
            return;
        }
        self.twins.negated(node, "!(", ")");
    }
}

/// Whether an expression asks anything but literals.
fn depends(node: Node<'_>) -> bool {
    let mut found = false;
    syntax::walk(node, &|_| true, &mut |n| {
        found |= matches!(
            n.kind(),
            "identifier" | "call_expression" | "macro_invocation" | "field_expression" | "self"
        );
    });
    found
}

fn ends(node: Node<'_>, around: Around) -> Flow {
    let mut found = false;
    let into =
        |n: Node<'_>| !matches!(n.kind(), "function_item" | "closure_expression" | "async_block");
    syntax::walk(node, &into, &mut |n| {
        found |= n.kind() == "return_expression"
            || around == Around::Loop
                && matches!(n.kind(), "break_expression" | "continue_expression");
    });
    if found { Flow::MayEnd } else { Flow::Goes }
}
