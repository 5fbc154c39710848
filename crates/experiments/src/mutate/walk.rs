//! The walk over a syntax tree that gathers candidates: goes only where lines are asked for, and knows at every node
//! what may be mutated there.

use super::candidate::Candidate;
use super::loops::{condition_of, counts, is_each, names};
use super::never::{self, never};
use super::scope::{Level, Literals, Place, Scope, Turn};
use super::{extreme, literals, operators, returns, statements};
use proctor_lang::Language;
use proctor_lang::Words;
use proctor_lang::rust::split::is_test_attribute;
use proctor_lang::syntax;
use std::collections::BTreeSet;
use tree_sitter::Node;

/// Deeper than people write; a tree made to exhaust the stack ends here.
const DEEPEST: u16 = 300;

const ASSIGNMENTS: Words = Words(
    "assignment assignment_expression assignment_statement augmented_assignment augmented_assignment_expression \
    compound_assignment_expr",
);

pub(super) struct Walk<'s> {
    pub(super) source: &'s str,
    pub(super) language: Language,
    pub(super) lines: &'s BTreeSet<u32>,
    pub(super) found: Vec<Candidate>,
    /// Rust: types of this file that have a default.
    pub(super) defaults: BTreeSet<&'s str>,
    /// The names in the conditions of the loops around.
    steering: Vec<(&'s str, Turn)>,
    /// Rust: the trait that is implemented here.
    owner: &'s str,
}

impl<'s> Walk<'s> {
    pub(super) fn over(
        language: Language,
        source: &'s str,
        lines: &'s BTreeSet<u32>,
        root: Node<'_>,
    ) -> Vec<Candidate> {
        let mut walk = Self {
            source,
            language,
            lines,
            found: Vec::new(),
            defaults: BTreeSet::new(),
            steering: Vec::new(),
            owner: "",
        };
        if language == Language::Rust {
            walk.defaults = returns::with_default(root, source);
        }
        walk.visit(root, Scope::top());
        walk.found
    }

    pub(super) fn add(&mut self, candidate: Candidate) {
        if self.lines.contains(&candidate.edit.line) {
            self.found.push(candidate);
        }
    }

    /// Whether a call may be what ends a loop around it: a loop that counts by itself needs none.
    pub(super) fn is_needed(&self, call: &str) -> bool {
        let names = names(call);
        self.steering.iter().any(|(name, turn)| *turn == Turn::While && names.contains(name))
    }

    /// Whether a target of an assignment decides when a loop around it ends.
    fn steers(&self, target: &str) -> bool {
        names(target).iter().any(|name| self.steering.iter().any(|(known, _)| known == name))
    }

    fn visit(&mut self, node: Node<'_>, scope: Scope<'_>) {
        if scope.depth > DEEPEST || !syntax::touches(node, self.lines) {
            return;
        }
        if scope.tail && is_value(node, self.source) {
            returns::find(self, node, node, scope);
        }
        statements::raised(self, node);
        let left_alone = never(self.language, node, self.source)
            || returns::is_failure(self.language, node, self.source)
            || self.drives_a_loop(node, scope);
        if left_alone {
            return;
        }
        if is_function(node.kind()) {
            self.function(node, scope);
            return;
        }
        operators::find(self, node, scope);
        statements::find(self, node, scope);
        if scope.place != Place::While {
            literals::find(self, node, scope);
        }
        let steering = self.steering.len();
        let owner = self.owner;
        match node.kind() {
            "while_statement" | "while_expression" | "for_statement" | "do_statement" => {
                if let Some(condition) = condition_of(self.language, node) {
                    let turn = if counts(node, condition) { Turn::Each } else { Turn::While };
                    let names = names(syntax::text(condition, self.source));
                    self.steering.extend(names.into_iter().map(|name| (name, turn)));
                }
            }
            "impl_item" => {
                let of = syntax::field(node, "trait", self.source);
                self.owner = of.rsplit("::").next().unwrap_or("");
            }
            _ => {}
        }
        self.children(node, scope);
        self.steering.truncate(steering);
        self.owner = owner;
    }

    fn children(&mut self, node: Node<'_>, scope: Scope<'_>) {
        let mut cursor = node.walk();
        let mut more = cursor.goto_first_child();
        let mut test = false;
        while more {
            let child = cursor.node();
            let field = cursor.field_name();
            more = cursor.goto_next_sibling();
            if !child.is_named() {
                continue;
            }
            match child.kind() {
                "attribute_item" => {
                    test |= is_test_attribute(syntax::text(child, self.source));
                }
                // The whole module or file is for tests.
                "inner_attribute_item"
                    if is_test_attribute(
                        &syntax::text(child, self.source).replacen('!', "", 1),
                    ) =>
                {
                    return;
                }
                "line_comment" | "block_comment" => {}
                _ => {
                    let skipped = std::mem::take(&mut test);
                    if let (Some(inner), false) = (self.below(node, field, child, scope), skipped) {
                        self.visit(child, inner);
                    }
                }
            }
        }
    }

    /// A function has its own default and its own loops.
    fn function(&mut self, node: Node<'_>, scope: Scope<'_>) {
        // What is only shown to people has no default that tests should tell from it.
        let shown = self.owner == "Display";
        let default = if shown { None } else { returns::default_of(self, node) };
        let named = match node.kind() {
            "closure_expression" | "async_block" | "lambda" | "func_literal" => false,
            "arrow_function" | "function_expression" | "generator_function" => {
                node.parent().is_some_and(|n| {
                    matches!(
                        n.kind(),
                        "variable_declarator" | "public_field_definition" | "field_definition"
                    )
                })
            }
            _ => true,
        };
        if named {
            extreme::find(self, node, default.as_deref(), self.owner);
        }
        let inner = Scope {
            depth: scope.depth + 1,
            level: Level::Function,
            default: default.as_deref(),
            tail: false,
            place: Place::Plain,
            turn: Turn::None,
            endless: false,
            literals: if shown { Literals::NoText } else { scope.literals },
        };
        let tail = node.kind() == "function_item" && default.as_deref() != Some("()");
        let steering = std::mem::take(&mut self.steering);
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            let body = node.child_by_field_name("body") == Some(child);
            if body && node.kind() == "arrow_function" && child.kind() != "statement_block" {
                returns::find(self, child, child, inner);
            }
            self.visit(child, Scope { tail: tail && body, ..inner });
        }
        self.steering = steering;
    }

    /// The scope of a child; none where it is not mutated.
    fn below<'a>(
        &self,
        node: Node<'_>,
        field: Option<&str>,
        child: Node<'_>,
        scope: Scope<'a>,
    ) -> Option<Scope<'a>> {
        let mut inner = Scope { depth: scope.depth + 1, tail: false, ..scope };
        let field = field.unwrap_or("");
        if ["type", "return_type", "result", "type_arguments", "trait"].contains(&field) {
            return None;
        }
        match (node.kind(), field) {
            ("field_expression", "field")
            | ("export_statement", "source")
            | ("let_condition" | "let_declaration" | "for_expression", "pattern")
            | ("for_clause", "update")
            | ("for_statement", "increment") => return None,
            ("match_arm", "pattern") | ("expression_case", "value") => {
                inner.literals = scope.literals.and(Literals::TextOnly);
            }
            ("match_pattern", "condition") => inner.literals = Literals::All,
            ("call" | "call_expression", "arguments") => {
                let callee = syntax::field(node, "function", self.source);
                if never::is_size(callee) {
                    return None;
                }
                inner.literals = scope.literals.and(never::of_arguments(callee));
            }
            ("new_expression", "arguments") => {
                let callee = syntax::field(node, "constructor", self.source);
                inner.literals = scope.literals.and(never::of_arguments(callee));
            }
            (
                "jsx_attribute" | "interpolation" | "template_substitution" | "concatenated_string",
                _,
            ) => {
                inner.literals = scope.literals.and(Literals::NoText);
            }
            // The sign is left out instead.
            ("unary_expression" | "unary_operator", _) if literals::is_literal(child) => {
                inner.literals = Literals::None;
            }
            ("async_block", _) => inner.default = None,
            (
                "default_parameter"
                | "typed_default_parameter"
                | "required_parameter"
                | "optional_parameter",
                "value",
            )
            | ("assignment_pattern" | "object_assignment_pattern", "right") => {
                inner.literals = scope.literals.and(Literals::NoNumbers);
            }
            (_, "value" | "right") => {
                let name = ["name", "key", "left", "field"]
                    .iter()
                    .map(|name| syntax::field(node, name, self.source))
                    .find(|name| !name.is_empty())
                    .unwrap_or("");
                inner.literals = scope.literals.and(never::of_name(name));
            }
            _ => {}
        }
        inner.tail = scope.tail && is_tail(node, field, child, self.source);
        self.in_condition_or_loop(node, field, child, &mut inner);
        Some(inner)
    }

    fn in_condition_or_loop(
        &self,
        node: Node<'_>,
        field: &str,
        child: Node<'_>,
        inner: &mut Scope<'_>,
    ) {
        let kind = node.kind();
        let condition = match kind {
            "conditional_expression" => node.named_child(1) == Some(child),
            _ => field == "condition",
        };
        match kind {
            "if_statement"
            | "elif_clause"
            | "if_expression"
            | "ternary_expression"
            | "conditional_expression" => {
                let settled = condition && statements::is_settled(node, self.source);
                inner.place = if settled { Place::Settled } else { Place::Plain };
            }
            "for_clause" if condition => inner.place = Place::Counted,
            "while_statement" | "while_expression" | "do_statement" | "for_statement"
            | "for_in_statement" | "for_expression" | "loop_expression" => {
                let of = condition_of(self.language, node);
                let each = is_each(self.language, node);
                let counts = of.is_some_and(|n| counts(node, n));
                if condition || of == Some(child) {
                    inner.place = if counts { Place::Counted } else { Place::While };
                } else if field == "body" {
                    let fixed = of.is_none_or(|n| names(syntax::text(n, self.source)).is_empty());
                    inner.place = Place::Plain;
                    inner.turn = if each || counts { Turn::Each } else { Turn::While };
                    inner.endless |= !each && fixed;
                }
            }
            _ => {}
        }
    }

    /// An assignment that decides when a loop ends: changed, the loop could run for ever.
    fn drives_a_loop(&self, node: Node<'_>, scope: Scope<'_>) -> bool {
        let target = match node.kind() {
            kind if ASSIGNMENTS.has(kind) => syntax::field(node, "left", self.source),
            "update_expression" => syntax::field(node, "argument", self.source),
            "inc_statement" | "dec_statement" => {
                node.named_child(0).map_or("", |n| syntax::text(n, self.source))
            }
            _ => return false,
        };
        let plain = target.chars().all(|c| c.is_alphanumeric() || c == '_');
        let grows = || {
            let right = syntax::field(node, "right", self.source);
            !node.kind().starts_with("assignment") || names(right).contains(&target)
        };
        self.steers(target) || (scope.endless && plain && grows())
    }
}

fn is_function(kind: &str) -> bool {
    Words("function_definition lambda function_item closure_expression function_declaration method_declaration \
            func_literal function_expression arrow_function method_definition generator_function \
            generator_function_declaration").has(kind)
}

/// Rust: whether the child is what its parent gives back.
fn is_tail(node: Node<'_>, field: &str, child: Node<'_>, source: &str) -> bool {
    match node.kind() {
        "block" => {
            let last = syntax::children(node).into_iter().rfind(|n| !syntax::is_comment(*n));
            let statement = child.kind() == "expression_statement"
                && syntax::text(child, source).ends_with(';');
            last == Some(child) && !statement
        }
        "if_expression" => field == "consequence" || field == "alternative",
        "match_expression" => field == "body",
        "match_arm" => field == "value",
        "expression_statement" | "else_clause" | "match_block" | "unsafe_block" => true,
        _ => false,
    }
}

/// Rust: a value at a tail that holds no tail of its own.
fn is_value(node: Node<'_>, source: &str) -> bool {
    let others = Words(
        "block expression_statement if_expression else_clause match_expression match_block match_arm unsafe_block \
        loop_expression while_expression for_expression return_expression break_expression continue_expression \
        let_declaration async_block attribute_item closure_expression line_comment block_comment",
    );
    let ends = Words("panic todo unimplemented unreachable bail");
    match node.kind() {
        "macro_invocation" => !ends.has(syntax::field(node, "macro", source)),
        kind => !others.has(kind) && !kind.ends_with("_item") && !kind.ends_with("_declaration"),
    }
}
