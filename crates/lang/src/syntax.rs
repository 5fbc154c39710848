//! Parsing sources with tree-sitter and walking their nodes. Knows no test tool.

use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use std::ops::ControlFlow;
use tree_sitter::{Language as Grammar, Node, ParseOptions, Parser, Tree};

/// Deeper than people write; what walks a tree goes down with it.
const DEEPEST: u32 = 2_000;
/// What the parser could not put together: more pieces than a slip of the pen leaves.
const MOST_SHARDS: u32 = 5_000;
/// Larger than any source that a person reads; a parser would be busy with it for a long time.
const LARGEST: usize = 4 << 20;
/// A change is compared with what was there before, and both with their tests.
const KEPT: usize = 4;

thread_local! {
    /// What was parsed last: one source is looked at from many sides.
    static LATEST: RefCell<VecDeque<Parsed>> = const { RefCell::new(VecDeque::new()) };
}

struct Parsed {
    grammar: Grammar,
    source: String,
    tree: Option<Tree>,
}

/// None for what nobody wrote to be read: text without end, that nests without end, or in which the parser would look for
/// sense for minutes. Whoever judges a source must take that for a sign, not for peace.
pub(crate) fn parse(grammar: &Grammar, source: &str) -> Option<Tree> {
    if source.len() > LARGEST {
        return None;
    }
    LATEST.with_borrow_mut(|latest| {
        let known = latest.iter().find(|p| p.grammar == *grammar && p.source == source);
        if let Some(known) = known {
            return known.tree.clone();
        }
        let tree = parse_anew(grammar, source);
        latest.truncate(KEPT - 1);
        latest.push_front(Parsed {
            grammar: grammar.clone(),
            source: source.to_owned(),
            tree: tree.clone(),
        });
        tree
    })
}

fn parse_anew(grammar: &Grammar, source: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(grammar).ok()?;
    // It asks once for a hundred steps. A byte of source takes one to five of them.
    let mut patience = 2_000 + source.len() / 4;
    let mut ask = |_: &_| match patience.checked_sub(1) {
        Some(left) => {
            patience = left;
            ControlFlow::Continue(())
        }
        None => ControlFlow::Break(()),
    };
    let bytes = source.as_bytes();
    let options = ParseOptions::new().progress_callback(&mut ask);
    let mut from = |at: usize, _| bytes.get(at..).unwrap_or_default();
    let tree = parser.parse_with_options(&mut from, None, Some(options))?;
    is_readable(&tree).then_some(tree)
}

/// Without recursion, and no further than need be.
fn is_readable(tree: &Tree) -> bool {
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if cursor.depth() > DEEPEST || (node.is_error() && node.child_count() > MOST_SHARDS) {
            return false;
        }
        if cursor.goto_first_child() || cursor.goto_next_sibling() {
            continue;
        }
        loop {
            if !cursor.goto_parent() {
                return true;
            }
            if cursor.goto_next_sibling() {
                break;
            }
        }
    }
}

/// What a source has in the place of a node.
pub fn text<'a>(node: Node<'_>, source: &'a str) -> &'a str {
    source.get(node.byte_range()).unwrap_or("")
}

/// The text of a field of a node; empty where there is none.
pub fn field<'a>(node: Node<'_>, name: &str, source: &'a str) -> &'a str {
    node.child_by_field_name(name).map_or("", |n| text(n, source))
}

/// The named children of a node.
pub fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

/// The node and everything below it, outer nodes first.
pub fn nodes(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    nodes_into(node, |_| true)
}

/// The same without what is below those into which it should not go.
pub fn nodes_into<'t>(
    node: Node<'t>,
    into: impl Fn(Node<'t>) -> bool,
) -> impl Iterator<Item = Node<'t>> {
    let mut open = vec![node];
    std::iter::from_fn(move || {
        let node = open.pop()?;
        if into(node) {
            open.extend(children(node).into_iter().rev());
        }
        Some(node)
    })
}

/// The node and everything below it, each shown to `visit`. `into` says whether to go below a node.
pub fn walk<'t>(node: Node<'t>, into: &dyn Fn(Node<'t>) -> bool, visit: &mut dyn FnMut(Node<'t>)) {
    nodes_into(node, into).for_each(visit);
}

/// The named children of a field of a node.
pub fn listed<'t>(node: Node<'t>, field: &str) -> Vec<Node<'t>> {
    node.child_by_field_name(field).map(children).unwrap_or_default()
}

/// Whether a node is a comment of any language.
pub fn is_comment(node: Node<'_>) -> bool {
    matches!(node.kind(), "comment" | "line_comment" | "block_comment" | "html_comment")
}

/// The parents of a node, nearest first.
pub fn parents(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::successors(node.parent(), Node::parent)
}

/// What a node is in, nearest first. A parent is found by going down from the root: done once here, not once a step.
pub fn above<'t>(root: Node<'t>, node: Node<'t>) -> Vec<Node<'t>> {
    let down = std::iter::successors(Some(root), |at| at.child_with_descendant(node));
    let mut above: Vec<Node<'t>> = down.take_while(|at| *at != node).collect();
    above.reverse();
    above
}

/// The line of a node, from one.
pub fn line(node: Node<'_>) -> u32 {
    u32::try_from(node.start_position().row + 1).unwrap_or(u32::MAX)
}

/// Whether a node stands on one of these lines.
pub fn touches(node: Node<'_>, lines: &BTreeSet<u32>) -> bool {
    let last = u32::try_from(node.end_position().row + 1).unwrap_or(u32::MAX);
    lines.range(line(node)..=last).next().is_some()
}

/// White space folded, so that two texts that differ only in layout are equal.
pub fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Dialect, Language};

    const JAVASCRIPT: Language = Language::Script(Dialect::JavaScript);

    #[test]
    fn long_and_deep_code_is_read_and_what_nests_without_end_is_not() {
        let long = "def f(a):\n    return a + 1\n".repeat(20_000);
        assert!(Language::Python.parse(&long).is_some());
        let sum = format!("let x = 1{};", " + 1".repeat(1_500));
        assert!(JAVASCRIPT.parse(&sum).is_some());
        let nested = format!("{}1{}", "(".repeat(50_000), ")".repeat(50_000));
        assert!(Language::Rust.parse(&format!("fn f() {{ {nested} }}")).is_none());
        assert!(Language::Python.parse(&format!("x = {}1", "not ".repeat(50_000))).is_none());
    }

    #[test]
    fn a_text_without_end_is_not_begun() {
        assert!(JAVASCRIPT.parse(&"'".repeat(5 << 20)).is_none());
        // A slip of a person's is no reason to give up.
        let slip =
            format!("{}\nfoo('''bar\n{}", "let a = 1;\n".repeat(500), "let b = 2;\n".repeat(500));
        assert!(JAVASCRIPT.parse(&slip).is_some());
    }

    #[test]
    fn what_a_node_is_in_is_what_its_parents_say() {
        let source = "def f(a):\n    if a == [1, {'x': -2}]:\n        return g(a)[0]\n)) }\n";
        let tree = Language::Python.parse(source).unwrap();
        walk(tree.root_node(), &|_| true, &mut |node| {
            let parents: Vec<_> = std::iter::successors(node.parent(), Node::parent).collect();
            assert_eq!(above(tree.root_node(), node), parents, "{node:?}");
        });
    }

    #[test]
    fn a_source_that_was_read_is_known_by_its_language_and_its_text() {
        for _ in 0..2 {
            for n in 0..2 * KEPT {
                let source = format!("x = {n}");
                assert_eq!(Language::Python.parse(&source).unwrap().root_node().kind(), "module");
                assert_eq!(JAVASCRIPT.parse(&source).unwrap().root_node().kind(), "program");
                let tree = JAVASCRIPT.parse(&source).unwrap();
                assert_eq!(text(tree.root_node(), &source), source);
            }
        }
    }
}
