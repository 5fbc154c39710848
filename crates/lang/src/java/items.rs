//! The tests in Java sources, with the ids that Surefire gives them: `JUnit` 3 to 5 and `TestNG`. What their bodies
//! check is `shape`'s. Tests of an abstract class are left out: they run, and have their ids, in its subclasses.

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
    for path in paths.iter().filter(|p| has_ending(p, "java")) {
        let Some(source) = text(tree, path) else { continue };
        let Some(parsed) = Language::Java.parse(&source) else { continue };
        let root = parsed.root_node();
        let model = &TestModel::of(Language::Java, root, &source);
        let file = File { path, source: &source, model };
        let package = package(root, &source);
        for class in classes(root) {
            let name = syntax::field(class, "name", &source);
            let name =
                if package.is_empty() { name.to_owned() } else { format!("{package}.{name}") };
            file.class(class, &Around { name, skipped: false }, &mut found);
        }
    }
    found
}

/// The package that a source declares; empty where it declares none.
pub fn package(root: Node<'_>, source: &str) -> String {
    let declared = syntax::children(root).into_iter().find(|n| n.kind() == "package_declaration");
    let named = declared.and_then(|n| {
        let is_name = |n: &Node<'_>| matches!(n.kind(), "scoped_identifier" | "identifier");
        syntax::children(n).into_iter().find(is_name)
    });
    named.map(|n| syntax::text(n, source).to_owned()).unwrap_or_default()
}

fn classes(parent: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    syntax::children(parent)
        .into_iter()
        .filter(|n| matches!(n.kind(), "class_declaration" | "record_declaration"))
}

struct File<'a> {
    path: &'a str,
    source: &'a str,
    model: &'a TestModel<'a>,
}

struct Around {
    name: String,
    skipped: bool,
}

/// An annotation by its bare name, with what stands in its parentheses.
struct Mark<'a> {
    name: &'a str,
    arguments: &'a str,
}

impl File<'_> {
    fn class(&self, class: Node<'_>, around: &Around, found: &mut Vec<TestItem>) {
        let Some(body) = class.child_by_field_name("body") else { return };
        let marks = self.marks(class);
        let skipped = around.skipped || marks.iter().any(is_skip);
        let here = Around { name: around.name.clone(), skipped };
        let old_style = syntax::field(class, "superclass", self.source).ends_with("TestCase");
        // TestNG: a mark on the class makes each of its public methods a test.
        let all = marks.iter().any(|m| m.name == "Test");
        if !has_word(class, "abstract") {
            for method in syntax::children(body) {
                if method.kind() == "method_declaration" && self.is_test(method, old_style, all) {
                    found.push(self.item(method, &here));
                }
            }
        }
        let enclosed =
            marks.iter().any(|m| m.name == "RunWith" && m.arguments.contains("Enclosed"));
        for inner in classes(body) {
            if enclosed || self.marks(inner).iter().any(|m| m.name == "Nested") {
                let name = format!("{}${}", around.name, syntax::field(inner, "name", self.source));
                self.class(inner, &Around { name, skipped }, found);
            }
        }
    }

    fn is_test(&self, method: Node<'_>, old_style: bool, all: bool) -> bool {
        let marks = self.marks(method);
        let marked =
            ["Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Theory"];
        if marks.iter().any(|m| marked.contains(&m.name)) {
            return true;
        }
        let plain = has_word(method, "public")
            && syntax::field(method, "type", self.source) == "void"
            && !has_word(method, "static");
        let named = syntax::field(method, "name", self.source).starts_with("test")
            && syntax::field(method, "parameters", self.source) == "()";
        let made_ready =
            marks.iter().any(|m| m.name.starts_with("Before") || m.name.starts_with("After"));
        plain && ((old_style && named) || (all && !made_ready))
    }

    fn item(&self, method: Node<'_>, around: &Around) -> TestItem {
        let name = syntax::field(method, "name", self.source);
        let marks = self.marks(method);
        let skipped = around.skipped || marks.iter().any(is_skip);
        let expected = marks.iter().any(|m| {
            m.name == "Test" && m.arguments.contains("expected") && m.arguments.contains(".class")
        });
        let shape = if skipped {
            Shape::Skipped
        } else {
            match shape::of_body(method, self.model) {
                Shape::NoAssertion if expected => Shape::Sound,
                shape => shape,
            }
        };
        TestItem {
            id: TestId::new(format!("{}::{name}", around.name)),
            place: Place { file: self.path.to_owned(), line: Some(syntax::line(method)) },
            text: syntax::folded(syntax::text(method, self.source)),
            shape,
        }
    }

    fn marks(&self, node: Node<'_>) -> Vec<Mark<'_>> {
        let Some(modifiers) = modifiers(node) else { return Vec::new() };
        syntax::children(modifiers)
            .into_iter()
            .filter(|n| matches!(n.kind(), "marker_annotation" | "annotation"))
            .map(|n| {
                let name = syntax::field(n, "name", self.source);
                let name = name.rsplit('.').next().unwrap_or(name);
                Mark { name, arguments: syntax::field(n, "arguments", self.source) }
            })
            .collect()
    }
}

fn modifiers(node: Node<'_>) -> Option<Node<'_>> {
    syntax::children(node).into_iter().find(|n| n.kind() == "modifiers")
}

fn has_word(node: Node<'_>, word: &str) -> bool {
    let Some(modifiers) = modifiers(node) else { return false };
    let mut cursor = modifiers.walk();
    modifiers.children(&mut cursor).any(|n| n.kind() == word)
}

/// Switched off whatever the platform.
fn is_skip(mark: &Mark<'_>) -> bool {
    let off = || mark.arguments.replace(char::is_whitespace, "").contains("enabled=false");
    matches!(mark.name, "Disabled" | "Ignore") || (mark.name == "Test" && off())
}

#[cfg(test)]
#[path = "items_tests.rs"]
mod tests;
