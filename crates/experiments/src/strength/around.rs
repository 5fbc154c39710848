//! What stands around an assertion: whether it is always reached, and whether its failure is swallowed.

use super::model::Source;
use super::tokens::{is_literal, tokens};
use proctor_lang::Language;
use proctor_lang::syntax;
use tree_sitter::Node;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Guard {
    None,
    /// Its failure is caught.
    Caught,
    /// Only in one branch, and the others check nothing.
    Branch,
    /// After a way out of the test.
    AfterReturn,
}

impl Guard {
    pub(super) fn or(self, other: Self) -> Self {
        if self == Self::None { other } else { self }
    }

    pub(super) fn told(self) -> &'static str {
        match self {
            Self::None => "always checked",
            Self::Caught => "checked where its failure is caught",
            Self::Branch => "checked only in one branch",
            Self::AfterReturn => "checked only after a way out of the test",
        }
    }
}

pub(super) fn guard(source: &Source<'_>, node: Node<'_>, body: Node<'_>) -> Guard {
    let mut at = node;
    while at != body
        && let Some(parent) = at.parent()
    {
        let found = by_parent(source, parent, at);
        if found != Guard::None {
            return found;
        }
        at = parent;
    }
    if leaves_before(source, node, body) { Guard::AfterReturn } else { Guard::None }
}

fn by_parent(source: &Source<'_>, parent: Node<'_>, at: Node<'_>) -> Guard {
    let is = |name: &str| parent.child_by_field_name(name) == Some(at);
    match parent.kind() {
        "try_statement" if is("body") && swallows(source, parent) => Guard::Caught,
        "except_clause" | "catch_clause" if !body_must_fail(source, parent) => Guard::Branch,
        "with_statement" if is("body") && suppresses(source, parent) => Guard::Caught,
        // `expect(x).toBe(1).catch(() => {})`, and one that something else is given.
        "member_expression" if is("object") && source.field(parent, "property") == "catch" => {
            Guard::Caught
        }
        "if_statement" | "if_expression"
            if !is("condition") && !others_check(source, parent, at) =>
        {
            Guard::Branch
        }
        "match_arm" if !arms_check(source, parent) => Guard::Branch,
        "expression_case" | "switch_case" | "case_clause" if !cases_check(source, parent) => {
            Guard::Branch
        }
        "binary_expression"
            if is("right") && matches!(source.field(parent, "operator"), "&&" | "||") =>
        {
            Guard::Branch
        }
        "call_expression" if source.field(parent, "function").ends_with("catch_unwind") => {
            Guard::Caught
        }
        _ => Guard::None,
    }
}

/// Whether a `try` has a clause that catches a failed assertion and goes on.
fn swallows(source: &Source<'_>, node: Node<'_>) -> bool {
    syntax::children(node).into_iter().any(|clause| {
        let catches = match clause.kind() {
            "except_clause" | "except_group_clause" => {
                let head: String = source.str(clause).split(':').next().unwrap_or("").to_owned();
                let words = tokens(&head);
                words.len() == 1
                    || words.iter().any(|t| {
                        matches!(t.text.as_str(), "AssertionError" | "Exception" | "BaseException")
                    })
            }
            "catch_clause" => match source.language {
                Language::Java => ["AssertionError", "Throwable", "Error "]
                    .iter()
                    .any(|e| source.str(clause).contains(e)),
                Language::Python | Language::Rust | Language::Go | Language::Script(_) => true,
            },
            _ => false,
        };
        catches && !checks_inside(source, clause)
    })
}

/// Whether the `try` of a handler fails where nothing is raised.
fn body_must_fail(source: &Source<'_>, clause: Node<'_>) -> bool {
    let body = clause.parent().and_then(|p| p.child_by_field_name("body"));
    let says = |node: Node<'_>| {
        let text = source.str(node);
        [
            "fail(",
            "assert False",
            "raise ",
            "throw ",
            "unreachable",
            "assert(false",
            "expect.assertions",
            "toBe(true",
        ]
        .iter()
        .any(|w| text.contains(w))
    };
    let counted = clause.parent().and_then(|p| p.parent()).is_some_and(|block| {
        source.str(block).contains("expect.assertions(")
            || source.str(block).contains("expect.hasAssertions(")
    });
    counted || body.is_some_and(says)
}

fn suppresses(source: &Source<'_>, with: Node<'_>) -> bool {
    let head = source.str(with).split(':').next().unwrap_or("");
    head.contains("suppress(") && ["AssertionError", "Exception"].iter().any(|e| head.contains(e))
}

/// Whether something in here can fail the test.
pub(super) fn checks_inside(source: &Source<'_>, node: Node<'_>) -> bool {
    let mut found = false;
    syntax::walk(node, &|_| true, &mut |n| {
        found |= match n.kind() {
            "assert_statement" | "raise_statement" | "throw_statement" => true,
            "macro_invocation" => {
                let name = source.field(n, "macro");
                name.contains("assert")
                    || matches!(name, "panic" | "unreachable" | "todo" | "unimplemented")
            }
            "call" | "call_expression" | "method_invocation" => {
                let function = source.field(n, "function");
                let name = if function.is_empty() { source.field(n, "name") } else { function };
                let last = name.rsplit(['.', ':']).next().unwrap_or(name);
                let lower = last.to_lowercase();
                lower.contains("assert")
                    || lower.contains("check")
                    || matches!(
                        last,
                        "fail"
                            | "raises"
                            | "expect"
                            | "panic"
                            | "Fatal"
                            | "Fatalf"
                            | "Error"
                            | "Errorf"
                            | "FailNow"
                            | "Fail"
                    )
                    || name.starts_with("assert")
                    || name.starts_with("require.")
                    || name.starts_with("expect(")
            }
            _ => false,
        };
    });
    found
}

/// Whether the other branches of an `if` check something too.
fn others_check(source: &Source<'_>, node: Node<'_>, at: Node<'_>) -> bool {
    let mut cursor = node.walk();
    let branches: Vec<Node<'_>> = node
        .children(&mut cursor)
        .filter(|n| {
            node.child_by_field_name("consequence") == Some(*n)
                || matches!(n.kind(), "elif_clause" | "else_clause")
                || node.child_by_field_name("alternative") == Some(*n)
        })
        .collect();
    let has_else = branches
        .iter()
        .any(|n| n.kind() != "elif_clause" && node.child_by_field_name("consequence") != Some(*n));
    has_else && branches.iter().filter(|n| **n != at).all(|n| checks_inside(source, *n))
}

fn arms_check(source: &Source<'_>, arm: Node<'_>) -> bool {
    let Some(arms) = arm.parent() else {
        return true;
    };
    syntax::children(arms)
        .into_iter()
        .filter(|n| n.kind() == "match_arm" && *n != arm)
        .all(|n| checks_inside(source, n))
}

fn cases_check(source: &Source<'_>, case: Node<'_>) -> bool {
    let Some(cases) = case.parent() else {
        return true;
    };
    let all = syntax::children(cases);
    let others: Vec<&Node<'_>> = all
        .iter()
        .filter(|n| **n != case && (n.kind().contains("case") || n.kind().contains("default")))
        .collect();
    !others.is_empty() && others.into_iter().all(|n| checks_inside(source, *n))
}

/// Whether a node is only reached where a condition holds that is no constant.
pub(super) fn is_conditional(source: &Source<'_>, node: Node<'_>, body: Node<'_>) -> bool {
    let mut at = node;
    while at != body
        && let Some(parent) = at.parent()
    {
        let branch = matches!(
            parent.kind(),
            "if_statement" | "if_expression" | "elif_clause" | "except_clause" | "catch_clause"
        );
        let condition = tokens(source.field(parent, "condition"));
        if branch && !is_literal(&condition) {
            return true;
        }
        at = parent;
    }
    false
}

/// Whether a `return` under some condition stands before a node, in the same function.
fn leaves_before(source: &Source<'_>, node: Node<'_>, body: Node<'_>) -> bool {
    let mut found = false;
    let own = function_around(node, body);
    syntax::walk(body, &|n| n.start_byte() < node.start_byte(), &mut |n| {
        let returns = matches!(n.kind(), "return_statement" | "return_expression")
            && n.end_byte() <= node.start_byte();
        if returns {
            let around = function_around(n, body);
            let leaves = around == own || around == body;
            // What fails before it goes is no way out.
            let block = n.parent().map(|p| {
                if p.kind() == "expression_statement" { p.parent().unwrap_or(p) } else { p }
            });
            found |= leaves && !block.is_some_and(|b| b != body && checks_inside(source, b));
        }
    });
    found
}

fn function_around<'t>(node: Node<'t>, body: Node<'t>) -> Node<'t> {
    let mut at = node;
    while at != body
        && let Some(parent) = at.parent()
    {
        if matches!(
            at.kind(),
            "lambda"
                | "function_definition"
                | "arrow_function"
                | "function_expression"
                | "closure_expression"
                | "func_literal"
                | "function_item"
        ) {
            return at;
        }
        at = parent;
    }
    body
}
