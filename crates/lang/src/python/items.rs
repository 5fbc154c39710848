//! The tests in Python sources, with the ids that pytest gives them. What their bodies check is `shape`'s.

use super::shape;
use crate::language::Language;
use crate::syntax;
use crate::test_model::TestModel;
use crate::tree::{Tree, text};
use crate::zone::has_ending;
use proctor_core::item::{Shape, TestItem};
use proctor_core::report::Place;
use proctor_core::words::TestId;
use tree_sitter::Node;

/// The tests in these files.
pub fn items(tree: &dyn Tree, paths: &[String]) -> Vec<TestItem> {
    let mut found = Vec::new();
    for path in paths.iter().filter(|p| collected_by_name(p)) {
        let Some(source) = text(tree, path) else { continue };
        let Some(parsed) = Language::Python.parse(&source) else { continue };
        let model = &TestModel::of(Language::Python, parsed.root_node(), &source);
        let skipped = shape::module_is_skipped(parsed.root_node(), &source);
        let file = File { path, source: &source, model };
        let around = Around { prefix: path.clone(), skipped };
        file.block(parsed.root_node(), &around, &mut found);
    }
    found
}

/// Test functions outside such files are not collected.
fn collected_by_name(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    has_ending(name, "py") && name != "conftest.py"
}

struct File<'a> {
    path: &'a str,
    source: &'a str,
    model: &'a TestModel<'a>,
}

struct Around {
    prefix: String,
    skipped: bool,
}

impl File<'_> {
    fn block(&self, block: Node<'_>, around: &Around, found: &mut Vec<TestItem>) {
        for node in syntax::children(block) {
            self.statement(node, node, around, found);
        }
    }

    /// `whole` is the definition with its decorators.
    fn statement(
        &self,
        node: Node<'_>,
        whole: Node<'_>,
        around: &Around,
        found: &mut Vec<TestItem>,
    ) {
        match node.kind() {
            "decorated_definition" => {
                if let Some(inner) = node.child_by_field_name("definition") {
                    self.statement(inner, node, around, found);
                }
            }
            // Tests that are defined only on some platforms.
            "if_statement" | "try_statement" | "else_clause" | "except_clause" | "block" => {
                self.block(node, around, found);
            }
            "class_definition" => self.class(node, whole, around, found),
            "function_definition" => {
                let name = syntax::field(node, "name", self.source);
                if name.starts_with("test") {
                    found.push(self.item(node, whole, name, around));
                }
            }
            _ => {}
        }
    }

    fn class(&self, node: Node<'_>, whole: Node<'_>, around: &Around, found: &mut Vec<TestItem>) {
        let name = syntax::field(node, "name", self.source);
        let bases = syntax::field(node, "superclasses", self.source);
        let unittest =
            bases.trim_matches(['(', ')']).split(',').any(|base| base.trim().ends_with("TestCase"));
        if !(name.starts_with("Test") || unittest) {
            return;
        }
        if let Some(body) = node.child_by_field_name("body") {
            let skipped = around.skipped || shape::is_marked_skipped(whole, self.source);
            let inner = Around { prefix: format!("{}::{name}", around.prefix), skipped };
            self.block(body, &inner, found);
        }
    }

    fn item(&self, node: Node<'_>, whole: Node<'_>, name: &str, around: &Around) -> TestItem {
        let shape = if around.skipped || shape::is_marked_skipped(whole, self.source) {
            Shape::Skipped
        } else {
            shape::of_body(node, self.model)
        };
        TestItem {
            id: TestId::new(format!("{}::{name}", around.prefix)),
            place: Place { file: self.path.to_owned(), line: Some(syntax::line(node)) },
            text: syntax::folded(syntax::text(whole, self.source)),
            shape,
        }
    }
}

#[cfg(test)]
#[path = "items_tests.rs"]
mod tests;
