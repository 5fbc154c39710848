//! Changed lines that bring a name and nothing behind it: a function without a body, a class without members, a parameter
//! that nobody reads. Reads one file, judges nothing.

use crate::parameters::{FUNCTIONS, parameters, uses};
use proctor_lang::literal::{self, Kind};
use proctor_lang::syntax;
use proctor_lang::{Language, is_stub};
use std::collections::BTreeSet;
use tree_sitter::Node;

/// What only holds others.
const HOLDERS: [&str; 21] = [
    "module",
    "program",
    "source_file",
    "block",
    "statement_block",
    "class_body",
    "declaration_list",
    "export_statement",
    "lexical_declaration",
    "variable_declaration",
    "variable_declarator",
    "expression_statement",
    "decorated_definition",
    "class_definition",
    "class_declaration",
    "impl_item",
    "mod_item",
    "struct_item",
    "return_statement",
    "return_expression",
    "unit_expression",
];
/// What is gone when the program runs, or says nothing by itself.
const NOTHING: [&str; 15] = [
    "comment",
    "line_comment",
    "block_comment",
    "pass_statement",
    "ellipsis",
    "empty_statement",
    "visibility_modifier",
    "type_annotation",
    "type_identifier",
    "package_clause",
    "import_declaration",
    "identifier",
    "property_identifier",
    "type_parameters",
    "this",
];

/// Whether all that stands on these lines does nothing. No where a language is not known.
pub fn is_idle(file: &str, source: &str, lines: &BTreeSet<u32>) -> bool {
    let Some(language) = Language::of(file).filter(|_| !is_stub(file)) else {
        return false;
    };
    let Some(parsed) = language.parse(source) else {
        return false;
    };
    let package = file.ends_with("__init__.py");
    let reading = Reading { source, lines, package };
    !lines.is_empty() && !reading.does(parsed.root_node())
}

struct Reading<'a> {
    source: &'a str,
    lines: &'a BTreeSet<u32>,
    /// What such a file takes in it hands on.
    package: bool,
}

impl Reading<'_> {
    fn does(&self, node: Node<'_>) -> bool {
        let last = u32::try_from(node.end_position().row + 1).unwrap_or(u32::MAX);
        if self.lines.range(syntax::line(node)..=last).next().is_none() {
            return false;
        }
        match node.kind() {
            kind if FUNCTIONS.contains(&kind) => self.function(node),
            kind if NOTHING.contains(&kind) => false,
            kind if literal::kind(node) == Some(Kind::Nothing) || kind == "undefined" => false,
            // A derived trait is behaviour.
            "attribute_item" => {
                let text = syntax::text(node, self.source);
                !["inline", "must_use", "allow", "expect", "doc"].iter().any(|a| text.contains(a))
            }
            "decorator" => node.named_child(0).is_some_and(|n| n.kind() != "identifier"),
            "import_statement" | "import_from_statement" => self.package,
            "use_declaration" => syntax::text(node, self.source).starts_with("pub"),
            "export_statement" if node.child_by_field_name("source").is_some() => true,
            // What stands alone is read by people only.
            "string" => node.parent().is_none_or(|p| p.kind() != "expression_statement"),
            "assignment" => self.binds(node),
            "assignment_expression" => !self.hands_out(node),
            "export_clause" => false,
            kind if HOLDERS.contains(&kind) => {
                // A base class is behaviour.
                let parents = ["superclasses", "trait"];
                parents.iter().any(|field| node.child_by_field_name(field).is_some())
                    || syntax::children(node).into_iter().any(|child| self.does(child))
            }
            _ => true,
        }
    }

    /// Its body, and what of the parameters on these lines the body reads.
    fn function(&self, node: Node<'_>) -> bool {
        let Some(body) = node.child_by_field_name("body") else {
            return false;
        };
        let rows = syntax::line(body)..=syntax::line(body);
        let whole = self.lines.range(rows).next().is_some() || syntax::children(body).is_empty();
        if whole {
            return self.does(body);
        }
        let unused = |name: String| !uses(body, self.source, &BTreeSet::from([name]));
        let ignores = parameters(node, self.source).into_iter().any(unused);
        !ignores || self.does(body)
    }

    /// Python: whether a name gets something of the project's own, or a value.
    fn binds(&self, node: Node<'_>) -> bool {
        if syntax::field(node, "left", self.source) == "__all__" {
            return false;
        }
        match node.child_by_field_name("right") {
            Some(right) if right.kind() == "lambda" => self.does(right),
            // `reset = print`
            Some(right) if right.kind() == "identifier" => {
                let name = syntax::text(right, self.source);
                let own = [format!("def {name}("), format!("class {name}"), format!("{name} =")];
                self.source.lines().any(|line| own.iter().any(|own| line.starts_with(own.as_str())))
            }
            _ => true,
        }
    }

    /// `module.exports = { a, b }`: names of what stands elsewhere.
    fn hands_out(&self, node: Node<'_>) -> bool {
        let left = syntax::field(node, "left", self.source);
        let is_name = |n: &Node<'_>| {
            matches!(n.kind(), "identifier" | "shorthand_property_identifier")
                || n.kind() == "pair"
                    && n.child_by_field_name("value").is_some_and(|v| v.kind() == "identifier")
        };
        let right = node.child_by_field_name("right");
        (left == "module.exports" || left.starts_with("exports.") || left.starts_with("module."))
            && right.is_some_and(|n| match n.kind() {
                "object" => syntax::children(n).iter().all(is_name),
                _ => is_name(&n),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn idle(file: &str, source: &str, from: u32, to: u32) -> bool {
        is_idle(file, source, &(from..=to).collect())
    }

    #[test]
    fn a_name_with_nothing_behind_it_is_idle() {
        for (file, source) in [
            ("a.py", "def reset():\n    pass\n"),
            ("a.py", "def reset(a, b=3):\n    \"\"\"Says much.\"\"\"\n    ...\n"),
            ("a.py", "import os\n\n\nclass Reset:\n    def now(self):\n        return None\n"),
            ("a.py", "__all__ = ['total', 'reset']\n\n\n@cached\ndef reset():\n    return\n"),
            ("a.py", "reset = print\n\nclear = lambda *a: None\n"),
            ("a.js", "export function reset() {}\n"),
            ("a.js", "const reset = () => {};\nmodule.exports = { total, reset };\n"),
            ("a.ts", "export class Reset {\n  now(): void {\n    return undefined;\n  }\n}\n"),
            ("a.go", "package a\n\n// Reset says much.\nfunc Reset(n int) {\n}\n"),
            ("a.rs", "/// Says much.\n#[inline]\npub fn reset(_: u32) {}\n"),
            ("a.rs", "pub struct Reset;\nimpl Reset {\n    pub fn now(&self) {}\n}\n"),
            ("A.java", "class A {\n  void reset() {\n  }\n}\n"),
        ] {
            let last = u32::try_from(source.lines().count()).unwrap();
            assert!(idle(file, source, 1, last), "{source}");
        }
    }

    #[test]
    fn what_gives_holds_or_hands_on_something_is_not() {
        for (file, source) in [
            ("a.py", "def reset():\n    return 1\n"),
            ("a.py", "class Missing(LookupError):\n    pass\n"),
            ("a.py", "@dataclass\nclass Point:\n    x: int\n    y: int\n"),
            ("a/__init__.py", "from .b import c\n"),
            ("a.py", "def total(n):\n    return n + 1\n\n\nreset = total\n"),
            ("a.py", "LIMIT = 3\n"),
            ("a.js", "export { reset } from './b.js';\n"),
            ("a.js", "module.exports = { reset: 3 };\n"),
            ("a.js", "export class Missing extends Error {}\n"),
            ("a.go", "package a\n\ntype Point struct {\n\tX int\n}\n"),
            ("a.rs", "pub struct Point {\n    pub x: u32,\n}\n"),
            ("a.rs", "pub use crate::b::reset;\n"),
            ("a.rs", "#[derive(Clone, PartialEq)]\npub struct Reset;\n"),
            ("a.rs", "impl Error for Missing {}\n"),
            ("a.txt", "x\n"),
        ] {
            let last = u32::try_from(source.lines().count()).unwrap();
            assert!(!idle(file, source, 1, last), "{source}");
        }
    }

    #[test]
    fn a_parameter_does_something_where_its_function_reads_it() {
        let ignored = "def total(prices, strict=False):\n    return sum(prices)\n";
        assert!(idle("a.py", ignored, 1, 1));
        let used = "def total(prices, start=0):\n    return sum(prices, start)\n";
        assert!(!idle("a.py", used, 1, 1));
        assert!(!idle("a.py", ignored, 1, 2));
    }
}
