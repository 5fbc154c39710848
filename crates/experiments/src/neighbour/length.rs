//! Lengths that code asks for exactly: `len(name) == 12`, `match text.len() { 12 => … }`.

use proctor_lang::syntax;
use std::collections::BTreeSet;
use tree_sitter::Node;

/// Those that are asked for on these lines.
pub(super) fn lengths(root: Node<'_>, source: &str, lines: &BTreeSet<u32>) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    syntax::walk(root, &|_| true, &mut |node| {
        if !lines.contains(&syntax::line(node)) {
            return;
        }
        match node.kind() {
            "comparison_operator" | "binary_expression" => {
                let text = syntax::text(node, source);
                let sides = syntax::children(node);
                if text.contains("==") && sides.iter().any(|n| is_length(*n, source)) {
                    found.extend(sides.iter().filter_map(|n| number(*n, source)));
                }
            }
            "switch_statement"
            | "match_statement"
            | "match_expression"
            | "expression_switch_statement" => {
                let asked = ["value", "subject"].iter().find_map(|f| node.child_by_field_name(f));
                if asked.is_some_and(|n| is_length(n, source)) {
                    syntax::walk(node, &|_| true, &mut |n| found.extend(number(n, source)));
                }
            }
            _ => {}
        }
    });
    found
}

fn is_length(node: Node<'_>, source: &str) -> bool {
    let text = syntax::text(node, source).trim_matches(['(', ')']);
    text.starts_with("len(")
        || text.starts_with("utf8.RuneCountInString(")
        || [".length", ".len", ".size", ".chars().count"].iter().any(|end| text.ends_with(end))
}

fn number(node: Node<'_>, source: &str) -> Option<usize> {
    (node.named_child_count() == 0).then(|| syntax::text(node, source).parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::super::lengths;
    use std::collections::BTreeSet;

    #[test]
    fn a_length_is_found_where_it_is_asked_for_exactly() {
        let lines: BTreeSet<u32> = (1..=20).collect();
        for (file, source, wanted) in [
            ("a.py", "def f(name):\n    if len(name) == 12:\n        return 'AL'\n", vec![12]),
            (
                "a.py",
                "def f(name):\n    match len(name):\n        case 12:\n            return 1\n",
                vec![12],
            ),
            ("a.js", "const f = (s) => (s.length === 12 ? 'AL' : s[0]);\n", vec![12]),
            ("a.go", "package a\n\nfunc f(s string) bool { return len(s) == 12 }\n", vec![12]),
            ("a.rs", "fn f(s: &str) -> bool { s.len() == 12 }\n", vec![12]),
            ("a.py", "def f(name):\n    return len(name) > 12\n", vec![]),
            ("a.py", "def f(n):\n    return n == 12\n", vec![]),
        ] {
            let found = lengths(file, source, &lines);
            assert!(wanted.iter().all(|n| found.contains(n)), "{source}: {found:?}");
            assert_eq!(found.is_empty(), wanted.is_empty(), "{source}: {found:?}");
        }
    }
}
