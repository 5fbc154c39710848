//! Parsing sources with tree-sitter and walking their nodes. Knows no test tool.

use tree_sitter::{Language, Node, Parser, Tree};

pub(crate) fn python(source: &str) -> Option<Tree> {
    parse(&tree_sitter_python::LANGUAGE.into(), source)
}

pub(crate) fn rust(source: &str) -> Option<Tree> {
    parse(&tree_sitter_rust::LANGUAGE.into(), source)
}

pub(crate) fn go(source: &str) -> Option<Tree> {
    parse(&tree_sitter_go::LANGUAGE.into(), source)
}

pub(crate) fn java(source: &str) -> Option<Tree> {
    parse(&tree_sitter_java::LANGUAGE.into(), source)
}

pub(crate) fn javascript(source: &str) -> Option<Tree> {
    parse(&tree_sitter_javascript::LANGUAGE.into(), source)
}

pub(crate) fn typescript(source: &str) -> Option<Tree> {
    parse(&tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(), source)
}

/// TypeScript with JSX: angle brackets are elements there, not casts.
pub(crate) fn tsx(source: &str) -> Option<Tree> {
    parse(&tree_sitter_typescript::LANGUAGE_TSX.into(), source)
}

fn parse(language: &Language, source: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(language).ok()?;
    parser.parse(source, None)
}

pub(crate) fn text<'a>(node: Node<'_>, source: &'a str) -> &'a str {
    source.get(node.byte_range()).unwrap_or("")
}

pub(crate) fn field<'a>(node: Node<'_>, name: &str, source: &'a str) -> &'a str {
    node.child_by_field_name(name).map_or("", |n| text(n, source))
}

pub(crate) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

/// The node and everything below it, outer nodes first. `into` says whether to go below a node.
pub(crate) fn walk<'t>(
    node: Node<'t>,
    into: &dyn Fn(Node<'t>) -> bool,
    visit: &mut dyn FnMut(Node<'t>),
) {
    visit(node);
    if into(node) {
        for child in children(node) {
            walk(child, into, visit);
        }
    }
}

/// The line of a node, from one.
pub(crate) fn line(node: Node<'_>) -> u32 {
    u32::try_from(node.start_position().row + 1).unwrap_or(u32::MAX)
}

/// White space folded, so that two texts that differ only in layout are equal.
pub(crate) fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
