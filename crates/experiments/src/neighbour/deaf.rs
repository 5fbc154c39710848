//! Functions that do not look at what they are given, and the values that they could answer with all the same: those of a
//! list, or of several returns. Such answers go by how often one asks.

use super::next::{any_value, elements};
use proctor_lang::literal;
use proctor_lang::syntax;
use std::collections::BTreeSet;
use tree_sitter::Node;

/// A function that uses none of its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deaf {
    pub name: String,
    /// Sets of values, each of which it could answer with.
    pub answers: Vec<BTreeSet<String>>,
}

pub(crate) const FUNCTIONS: [&str; 9] = [
    "function_definition",
    "function_item",
    "function_declaration",
    "method_declaration",
    "function_expression",
    "generator_function_declaration",
    "method_definition",
    "arrow_function",
    "lambda",
];
/// What stands for a whole object or a whole call, and is given by nobody.
const OWN: [&str; 4] = ["self", "cls", "this", "ctx"];
/// Names by which parameters are had without their own.
const WITHOUT_NAME: [&str; 3] = ["arguments", "locals", "inspect"];

/// Those that begin on these lines.
pub(super) fn deaf(root: Node<'_>, source: &str, lines: &BTreeSet<u32>) -> Vec<Deaf> {
    let listed = lists(root, source, lines);
    let mut found = Vec::new();
    for Function { node, name, body } in functions(root, source, lines) {
        let given = parameters(node, source);
        let answers_something = gives_back(body) && may_differ(body);
        if given.is_empty() || uses(body, source, &given) || !answers_something {
            continue;
        }
        let mut answers = listed.clone();
        answers.push(returned(body, source));
        answers.retain(|values| values.len() > 1);
        answers.dedup();
        if !answers.is_empty() {
            found.push(Deaf { name, answers });
        }
    }
    found
}

/// A function that has a name and a body.
pub(super) struct Function<'t> {
    pub(super) node: Node<'t>,
    pub(super) name: String,
    pub(super) body: Node<'t>,
}

/// Those that begin on these lines.
pub(super) fn functions<'t>(
    root: Node<'t>,
    source: &str,
    lines: &BTreeSet<u32>,
) -> Vec<Function<'t>> {
    let mut found = Vec::new();
    syntax::walk(root, &|_| true, &mut |node| {
        if FUNCTIONS.contains(&node.kind())
            && lines.contains(&syntax::line(node))
            && let (Some(name), Some(body)) = (name(node, source), node.child_by_field_name("body"))
        {
            found.push(Function { node, name, body });
        }
    });
    found
}

fn name(function: Node<'_>, source: &str) -> Option<String> {
    let own = syntax::field(function, "name", source);
    let holder = function.parent().filter(|p| p.kind() == "variable_declarator");
    let name = holder.filter(|_| own.is_empty()).map_or(own, |p| syntax::field(p, "name", source));
    (!name.is_empty()).then(|| name.to_owned())
}

/// The names of what a function is given.
pub(crate) fn parameters(function: Node<'_>, source: &str) -> BTreeSet<String> {
    let all = ["parameters", "parameter"].iter().find_map(|f| function.child_by_field_name(f));
    let mut names = BTreeSet::new();
    let Some(all) = all else { return names };
    // Types and defaults are not names that it gives to something.
    let into = |n: Node<'_>| {
        let field = |name| n.parent().and_then(|p| p.child_by_field_name(name)) == Some(n);
        !(field("type") || field("value") || field("right") || n.kind() == "type")
    };
    syntax::walk(all, &into, &mut |n| {
        if into(n) && matches!(n.kind(), "identifier" | "shorthand_property_identifier_pattern") {
            names.insert(syntax::text(n, source).to_owned());
        }
    });
    names.retain(|name| !OWN.contains(&name.as_str()));
    names
}

pub(crate) fn uses(body: Node<'_>, source: &str, names: &BTreeSet<String>) -> bool {
    let mut found = false;
    syntax::walk(body, &|_| true, &mut |n| {
        let text = syntax::text(n, source);
        let is_name = n.child_count() == 0 && n.kind().contains("identifier");
        found |= is_name && (names.contains(text) || WITHOUT_NAME.contains(&text));
        // What a macro or a template is given is text to the parser.
        let raw = matches!(n.kind(), "token_tree" | "string_content" | "interpolation");
        found |= raw && names.iter().any(|name| text.contains(name.as_str()));
    });
    found
}

/// Whether a function's caller gets a value.
pub(super) fn gives_back(body: Node<'_>) -> bool {
    let is_block = matches!(body.kind(), "block" | "statement_block");
    let last = syntax::children(body).into_iter().next_back();
    // Rust's last expression; a statement's name says that it is one.
    let ends = last.is_some_and(|n| {
        n.kind().ends_with("_expression")
            || matches!(n.kind(), "identifier" | "macro_invocation")
            || literal::kind(n).is_some() && n.kind() != "string"
    });
    let mut found = !is_block || ends;
    syntax::walk(body, &|n| !FUNCTIONS.contains(&n.kind()), &mut |n| {
        let returns = matches!(n.kind(), "return_statement" | "return_expression");
        found |= returns && n.named_child_count() > 0;
    });
    found
}

/// Whether two calls could get two answers: something is called, looked up or counted.
fn may_differ(body: Node<'_>) -> bool {
    let mut found = false;
    syntax::walk(body, &|_| true, &mut |n| {
        found |= matches!(
            n.kind(),
            "call"
                | "call_expression"
                | "method_invocation"
                | "macro_invocation"
                | "subscript"
                | "subscript_expression"
                | "index_expression"
                | "array_access"
                | "augmented_assignment"
                | "augmented_assignment_expression"
                | "compound_assignment_expr"
                | "update_expression"
                | "inc_statement"
                | "assignment_statement"
        );
    });
    found
}

/// The values of a table.
fn cells(node: Node<'_>) -> Option<Vec<Node<'_>>> {
    if !matches!(node.kind(), "dictionary" | "object") {
        return None;
    }
    let pairs = syntax::children(node).into_iter().filter(|n| !n.kind().contains("comment"));
    pairs.map(|pair| pair.child_by_field_name("value")).collect()
}

/// The lists and tables on these lines that hold nothing but literals.
fn lists(root: Node<'_>, source: &str, lines: &BTreeSet<u32>) -> Vec<BTreeSet<String>> {
    let mut found = Vec::new();
    syntax::walk(root, &|_| true, &mut |node| {
        if !lines.contains(&syntax::line(node)) {
            return;
        }
        let values = elements(node).or_else(|| cells(node)).map(|all| {
            all.into_iter().map(|n| any_value(n, source)).collect::<Option<BTreeSet<String>>>()
        });
        found.extend(values.flatten());
    });
    found
}

/// The literals that a function gives back.
fn returned(body: Node<'_>, source: &str) -> BTreeSet<String> {
    let mut values = BTreeSet::new();
    syntax::walk(body, &|n| !FUNCTIONS.contains(&n.kind()), &mut |node| {
        let given = match node.kind() {
            "return_statement" | "return_expression" => syntax::children(node)
                .into_iter()
                .next()
                .map(|n| n.named_child(0).filter(|_| n.kind() == "expression_list").unwrap_or(n)),
            "match_arm" => node.child_by_field_name("value"),
            _ => None,
        };
        values.extend(given.and_then(|n| any_value(n, source)));
    });
    values
}
