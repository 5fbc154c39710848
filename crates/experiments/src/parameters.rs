//! What functions are given, and whether they use it. Reads one tree, judges nothing.

use proctor_lang::syntax;
use std::collections::BTreeSet;
use tree_sitter::Node;

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
