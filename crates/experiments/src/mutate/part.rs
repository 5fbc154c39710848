//! What a mutant is a part of: its function, and the branches of it that the change brought. A test that notices one change in
//! a part looks at it. Makes no mutant and judges nothing.

use super::words::language_of;
use proctor_core::branch::Part;
use proctor_lang::edit::Edit;
use proctor_lang::{Words, syntax};
use std::collections::BTreeSet;
use tree_sitter::Node;

/// The parts that each edit of a file is in, the outermost first. What stands in no function is a part of the file itself.
pub fn parts(file: &str, source: &str, edits: &[Edit], lines: &BTreeSet<u32>) -> Vec<Vec<Part>> {
    let tree = language_of(file).and_then(|language| language.parse(source));
    let of = |edit: &Edit| {
        let whole = Part { what: "the top of the file".to_owned(), line: 1 };
        let Some(tree) = &tree else { return vec![whole] };
        let node = tree.root_node().descendant_for_byte_range(edit.from, edit.to);
        let mut found = around(node, source, lines);
        if found.is_empty() {
            found.push(whole);
        }
        found
    };
    edits.iter().map(of).collect()
}

fn around(node: Option<Node<'_>>, source: &str, lines: &BTreeSet<u32>) -> Vec<Part> {
    let mut found = Vec::new();
    let mut at = node;
    while let Some(node) = at {
        let Some(parent) = node.parent() else { break };
        if is_function(parent) {
            found.push(function(parent, source));
            // A function inside another is a part of its own; a nameless one belongs to what is around it.
            if !syntax::field(parent, "name", source).is_empty() {
                break;
            }
        } else if is_branch(node, parent) && is_new(node, source, lines) {
            let line = syntax::line(node);
            found.push(Part { what: format!("the branch in line {line}"), line });
        }
        at = Some(parent);
    }
    found.reverse();
    found
}

/// A function's own name, or that of what holds it.
pub(super) fn name_of<'s>(function: Node<'_>, source: &'s str) -> &'s str {
    let held = || function.parent().map_or("", |parent| syntax::field(parent, "name", source));
    Some(syntax::field(function, "name", source)).filter(|n| !n.is_empty()).unwrap_or_else(held)
}

fn function(node: Node<'_>, source: &str) -> Part {
    let name = name_of(node, source);
    let line = syntax::line(node);
    let what =
        if name.is_empty() { format!("the function in line {line}") } else { format!("`{name}`") };
    Part { what, line }
}

pub(super) fn is_function(node: Node<'_>) -> bool {
    let kind = node.kind();
    node.child_by_field_name("body").is_some()
        && (Words("function method constructor").any(|word| kind.contains(word))
            || Words("lambda closure_expression func_literal lambda_expression").has(kind))
}

/// Whether it runs only where a condition, a case or an exception says so.
fn is_branch(node: Node<'_>, parent: Node<'_>) -> bool {
    let chosen = ["if", "elif", "else", "case", "match_arm", "catch", "except"];
    let is = |field: &str| parent.child_by_field_name(field) == Some(node);
    let decides = ["condition", "pattern", "value", "initializer", "parameter", "parameters"];
    let kind = parent.kind();
    let deciding = decides.iter().any(|field| is(field)) && !(kind == "match_arm" && is("value"));
    chosen.iter().any(|word| kind.split('_').any(|part| part == *word) || kind == *word)
        && !deciding
        && !matches!(node.kind(), "else_clause" | "elif_clause" | "if_statement" | "if_expression")
}

/// Whether every line of it with code is the change's.
fn is_new(node: Node<'_>, source: &str, lines: &BTreeSet<u32>) -> bool {
    let code = |text: &str| text.chars().any(|c| !c.is_whitespace() && !"{}()[];,".contains(c));
    let written = (syntax::line(node)..).zip(syntax::text(node, source).lines());
    written.into_iter().all(|(line, text)| !code(text) || lines.contains(&line))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts that the first of these words is in, with every line changed but the last two.
    fn of(file: &str, source: &str, word: &str) -> Vec<String> {
        let from = source.find(word).unwrap();
        let to = from + word.len();
        let edit = Edit { line: 1, from, to, text: String::new(), what: String::new() };
        let count = u32::try_from(source.lines().count()).unwrap();
        let lines = (1..=count - 2).collect();
        let found = parts(file, source, &[edit], &lines).remove(0);
        found.into_iter().map(|part| part.what).collect()
    }

    #[test]
    fn a_mutant_is_in_its_function_and_in_each_new_branch_around_it() {
        let python = "A = 5\ndef f(a):\n    if a > 1:\n        b = 7\n        if b:\n            return 8\n    else:\n        return 9\n";
        assert_eq!(of("a.py", python, "5"), ["the top of the file"]);
        assert_eq!(of("a.py", python, "1"), ["`f`"]);
        assert_eq!(of("a.py", python, "7"), ["`f`", "the branch in line 4"]);
        let inner = ["`f`", "the branch in line 4", "the branch in line 6"];
        assert_eq!(of("a.py", python, "8"), inner);
        assert_eq!(of("a.py", python, "9"), ["`f`"], "that branch is no new one");
    }

    #[test]
    fn each_language_has_its_branches() {
        let script = "export const f = (a) => {\n  if (a === 1) {\n    return 7;\n  } else if (a) return 8;\n  switch (a) {\n    case 2:\n      return 6;\n  }\n  return 9;\n};\n";
        assert_eq!(of("a.js", script, "7"), ["`f`", "the branch in line 2"]);
        assert_eq!(of("a.js", script, "8"), ["`f`", "the branch in line 4"]);
        assert_eq!(of("a.js", script, "6"), ["`f`", "the branch in line 7"]);
        assert_eq!(of("a.js", script, "9"), ["`f`"]);
        let go = "package a\n\nfunc F(a int) int {\n\tif a > 1 {\n\t\treturn 7\n\t}\n\tswitch a {\n\tcase 2:\n\t\treturn 6\n\t}\n\treturn 9\n}\n";
        assert_eq!(of("a.go", go, "1 {"), ["`F`"]);
        assert_eq!(of("a.go", go, "7"), ["`F`", "the branch in line 4"]);
        assert_eq!(of("a.go", go, "6"), ["`F`", "the branch in line 9"]);
        let rust = "fn f(a: u8) -> u8 {\n    if a > 1 {\n        return 7;\n    }\n    match a {\n        2 => 6,\n        _ => 9,\n    }\n}\n\n\n";
        assert_eq!(of("a.rs", rust, "7"), ["`f`", "the branch in line 2"]);
        assert_eq!(of("a.rs", rust, "6"), ["`f`", "the branch in line 6"]);
    }
}
