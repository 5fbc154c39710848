//! Functions that looked at what they were given and do so no more: a check that says yes to everything, a result that is
//! the same for every input. Read from both texts; it is named, it never decides alone.

use crate::suspicion::{Suspicion, SuspicionKind};
use proctor_core::report::Place;
use proctor_lang::{Language, is_stub, syntax};
use std::collections::{BTreeMap, BTreeSet};
use tree_sitter::{Node, Tree};

/// One function: where it is, what it takes, what its body names.
struct Function {
    line: u32,
    takes: BTreeSet<String>,
    names: BTreeSet<String>,
}

/// The functions of a file that use none of their parameters any more.
pub fn hollowed(file: &str, before: &str, after: &str) -> Vec<Suspicion> {
    let (Some(old), Some(new)) = (parse(file, before), parse(file, after)) else {
        return Vec::new();
    };
    let (old, new) = (functions(&old, before), functions(&new, after));
    let is_hollowed = |name: &String, now: &Function| {
        let used = |f: &Function| f.takes.intersection(&f.names).count();
        old.get(name).is_some_and(|was| used(was) > 0) && !now.takes.is_empty() && used(now) == 0
    };
    new.iter()
        .filter(|(name, now)| is_hollowed(name, now))
        .map(|(name, now)| Suspicion {
            kind: SuspicionKind::Hollowed,
            place: Place { file: file.to_owned(), line: Some(now.line) },
            text: format!("`{name}` looks at nothing that it is given any more"),
        })
        .collect()
}

/// Stubs hold no code, and Java's methods are not read here.
fn parse(file: &str, source: &str) -> Option<Tree> {
    let language = Language::of(file).filter(|l| *l != Language::Java && !is_stub(file))?;
    language.parse(source)
}

/// By name; where a name stands twice, neither is spoken of.
fn functions(tree: &Tree, source: &str) -> BTreeMap<String, Function> {
    let mut found: BTreeMap<String, Function> = BTreeMap::new();
    let mut twice = BTreeSet::new();
    syntax::walk(tree.root_node(), &|_| true, &mut |node| {
        let Some((name, function)) = function(node, source) else { return };
        if found.insert(name.clone(), function).is_some() {
            twice.insert(name);
        }
    });
    found.retain(|name, _| !twice.contains(name));
    found
}

fn function(node: Node<'_>, source: &str) -> Option<(String, Function)> {
    let kinds = [
        "function_definition",
        "function_item",
        "function_declaration",
        "method_declaration",
        "method_definition",
    ];
    if !kinds.contains(&node.kind()) {
        return None;
    }
    let name = syntax::text(node.child_by_field_name("name")?, source).to_owned();
    let parameters = node.child_by_field_name("parameters")?;
    let body = node.child_by_field_name("body")?;
    let mut takes = identifiers(parameters, source);
    takes.retain(|name| !matches!(name.as_str(), "self" | "cls" | "this" | "_"));
    let names = identifiers(body, source);
    Some((name, Function { line: syntax::line(node), takes, names }))
}

fn identifiers(node: Node<'_>, source: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    syntax::walk(node, &|_| true, &mut |node| {
        if node.kind() == "identifier" || node.kind() == "shorthand_property_identifier" {
            found.insert(syntax::text(node, source).to_owned());
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(file: &str, before: &str, after: &str) -> usize {
        hollowed(file, before, after).len()
    }

    #[test]
    fn a_check_that_says_yes_to_everything_is_named_in_every_language() {
        let yes = [
            ("a.py", "def ok(a, b):\n    return a == b\n", "def ok(a, b):\n    return True\n"),
            ("a.rs", "fn ok(a: u8) -> bool { a > 1 }", "fn ok(_a: u8) -> bool { true }"),
            (
                "a.go",
                "package a\nfunc Ok(a int) bool { return a > 1 }",
                "package a\nfunc Ok(a int) bool { return true }",
            ),
            ("a.js", "function ok(a) { return a > 1 }", "function ok(a) { return true }"),
            (
                "a.ts",
                "function ok(a: number): boolean { return a > 1 }",
                "function ok(a: number): boolean { return true }",
            ),
        ];
        for (file, before, after) in yes {
            assert_eq!(named(file, before, after), 1, "{file}");
        }
    }

    #[test]
    fn a_function_that_still_looks_at_something_or_never_did_is_not() {
        let before = "def ok(a, b):\n    return a == b\n";
        assert_eq!(named("a.py", before, "def ok(a, b):\n    return bool(a)\n"), 0);
        assert_eq!(named("a.py", "def ok(a):\n    return 1\n", "def ok(a):\n    return 2\n"), 0);
        assert_eq!(named("a.py", before, "def ok():\n    return True\n"), 0);
    }
}
