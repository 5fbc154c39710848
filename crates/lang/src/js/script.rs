//! One JavaScript or TypeScript source, parsed by its ending, and the small questions that every reader of it asks.
//! Knows no test tool.

use crate::language::{Language, is_script_declaration};
use crate::syntax;
use crate::tree::{Tree, text};
use crate::words::Words;
use tree_sitter::Node;

/// A script and its tree.
pub struct Script {
    pub path: String,
    pub source: String,
    parsed: tree_sitter::Tree,
}

impl Script {
    /// None for what is no script, or holds types alone.
    pub fn read(tree: &dyn Tree, path: &str) -> Option<Self> {
        let language = Language::of(path).filter(|l| matches!(l, Language::Script(_)))?;
        if is_script_declaration(path) {
            return None;
        }
        let source = text(tree, path)?;
        let parsed = language.parse(&source)?;
        Some(Self { path: path.to_owned(), source, parsed })
    }

    /// The top of its tree.
    pub fn root(&self) -> Node<'_> {
        self.parsed.root_node()
    }
}

/// The value itself, without what does not change it: brackets, `await`, type casts.
pub fn bare(node: Node<'_>) -> Node<'_> {
    match node.kind() {
        "parenthesized_expression"
        | "await_expression"
        | "as_expression"
        | "satisfies_expression"
        | "non_null_expression"
        | "instantiation_expression" => match first_child(node) {
            Some(inner) => bare(inner),
            None => node,
        },
        // `(0, add)(1)` is how a call loses its `this`.
        "type_assertion" | "sequence_expression" => match syntax::children(node).last() {
            Some(inner) => bare(*inner),
            None => node,
        },
        _ => node,
    }
}

/// The first child that is no comment.
pub fn first_child(node: Node<'_>) -> Option<Node<'_>> {
    syntax::children(node).into_iter().find(|n| n.kind() != "comment")
}

/// The arguments of a call or `new`, without comments. A tagged template has none.
pub fn arguments(call: Node<'_>) -> Vec<Node<'_>> {
    let list = call.child_by_field_name("arguments").filter(|n| n.kind() == "arguments");
    let children = list.map(syntax::children).unwrap_or_default();
    children.into_iter().filter(|n| n.kind() != "comment").collect()
}

/// A function of any spelling: declared, an expression, an arrow, a method.
pub fn is_function(node: Node<'_>) -> bool {
    Words("arrow_function function_expression generator_function function_declaration generator_function_declaration \
            method_definition").has(node.kind())
}

/// The patterns of a function's parameters, without types.
pub fn parameters(function: Node<'_>) -> Vec<Node<'_>> {
    if let Some(single) = function.child_by_field_name("parameter") {
        return vec![single];
    }
    let list = function.child_by_field_name("parameters").map(syntax::children).unwrap_or_default();
    let typed = |n: &Node<'_>| matches!(n.kind(), "required_parameter" | "optional_parameter");
    list.into_iter()
        .filter(|n| n.kind() != "comment")
        .filter_map(|n| if typed(&n) { n.child_by_field_name("pattern") } else { Some(n) })
        .collect()
}

/// Every name that a pattern binds.
pub(crate) fn bound(pattern: Node<'_>, source: &str, names: &mut Vec<String>) {
    match pattern.kind() {
        "identifier" | "shorthand_property_identifier_pattern" => {
            names.push(syntax::text(pattern, source).to_owned());
        }
        "pair_pattern" => {
            if let Some(value) = pattern.child_by_field_name("value") {
                bound(value, source, names);
            }
        }
        "assignment_pattern" | "object_assignment_pattern" => {
            if let Some(left) = pattern.child_by_field_name("left") {
                bound(left, source, names);
            }
        }
        "object_pattern" | "array_pattern" | "rest_pattern" => {
            for child in syntax::children(pattern) {
                bound(child, source, names);
            }
        }
        _ => {}
    }
}

/// `a.b.c` as its names from the left, the calls between them left out: `expect(x).not.toBe` is `expect`, `not`,
/// `toBe`. Empty where it does not start at a name.
pub fn chain<'s>(node: Node<'_>, source: &'s str) -> Vec<&'s str> {
    let node = bare(node);
    match node.kind() {
        "identifier" | "this" => vec![syntax::text(node, source)],
        "member_expression" => {
            let Some(object) = node.child_by_field_name("object") else { return Vec::new() };
            let mut names = chain(object, source);
            if !names.is_empty() {
                names.push(syntax::field(node, "property", source));
            }
            names
        }
        "call_expression" => {
            node.child_by_field_name("function").map(|f| chain(f, source)).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// The text of a string or of a template without substitutions, its escapes resolved.
pub fn string(node: Node<'_>, source: &str) -> Option<String> {
    let inner = match node.kind() {
        "string" => syntax::text(node, source),
        "template_string"
            if syntax::children(node).iter().all(|n| n.kind() != "template_substitution") =>
        {
            syntax::text(node, source)
        }
        _ => return None,
    };
    Some(unescaped(inner.get(1..inner.len().saturating_sub(1))?))
}

/// What stands between quotes, with its escapes resolved.
pub fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match rest.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('v') => out.push('\u{b}'),
            Some('0') => out.push('\0'),
            // A line that goes on in the next.
            Some('\n') | None => {}
            Some('x') => {
                let digits: String = rest.by_ref().take(2).collect();
                out.extend(by_code(&digits));
            }
            Some('u') => {
                let digits: String = if rest.peek() == Some(&'{') {
                    rest.by_ref().skip(1).take_while(|c| *c != '}').collect()
                } else {
                    rest.by_ref().take(4).collect()
                };
                out.extend(by_code(&digits));
            }
            Some(other) => out.push(other),
        }
    }
    out
}

fn by_code(digits: &str) -> Option<char> {
    u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)
}

/// Whether a node of this kind is in here, those of functions below left out.
pub fn holds_own(node: Node<'_>, kind: &str) -> bool {
    let into = |n: Node<'_>| n == node || !is_function(n);
    syntax::nodes_into(node, into).any(|n| n.kind() == kind)
}
