//! The tests in Go sources, with the ids that `go test` gives them: `import/path TestName`. A table test is one item,
//! its subtests are cases of it; the methods of a testify suite are items of their own. What the bodies check is
//! `shape`'s.

use super::modules::Module;
use super::shape::{self, Helpers};
use crate::language::Language;
use crate::syntax;
use crate::test_model::TestModel;
use crate::tree::{Tree, parent, text};
use proctor_core::item::{Shape, TestItem};
use proctor_core::report::Place;
use proctor_core::words::TestId;
use std::collections::BTreeMap;
use tree_sitter::Node;

/// The tests in these files.
pub fn items(tree: &dyn Tree, paths: &[String]) -> Vec<TestItem> {
    let mut folders: BTreeMap<&str, Folder> = BTreeMap::new();
    let mut found = Vec::new();
    for path in paths.iter().filter(|p| is_test_file(p)) {
        let dir = parent(path);
        let (Some(source), Some(module)) = (text(tree, path), Module::around(tree, dir)) else {
            continue;
        };
        let folder = folders.entry(dir).or_insert_with(|| Folder::read(tree, dir));
        let package = module.import_path(dir);
        in_source(&source, path, &package, folder, &mut found);
    }
    found
}

/// What `go test` runs of a file, without subtests.
pub fn names(source: &str) -> Vec<String> {
    let Some(parsed) = Language::Go.parse(source) else { return Vec::new() };
    let functions = syntax::children(parsed.root_node());
    functions.into_iter().filter_map(|node| test_name(node, source)).collect()
}

/// Go looks neither into these folders nor at these files; what lies there are samples and copies.
fn is_test_file(path: &str) -> bool {
    path.ends_with("_test.go") && !path.split('/').any(|p| p == "testdata" || p == "vendor")
}

/// What the test files of a folder know together.
struct Folder {
    helpers: Helpers,
    /// By the type of a suite: the test that runs it.
    suites: BTreeMap<String, String>,
}

impl Folder {
    fn read(tree: &dyn Tree, dir: &str) -> Self {
        let paths = tree.paths();
        let beside = paths.iter().filter(|p| parent(p) == dir && is_test_file(p));
        let sources = beside.filter_map(|p| text(tree, p));
        let read: Vec<(tree_sitter::Tree, String)> =
            sources.filter_map(|s| Some((Language::Go.parse(&s)?, s))).collect();
        let models: Vec<TestModel<'_>> =
            read.iter().map(|(t, s)| TestModel::of(Language::Go, t.root_node(), s)).collect();
        let mut suites = BTreeMap::new();
        for model in &models {
            for node in syntax::children(model.root) {
                if let Some(name) = test_name(node, model.source) {
                    let run = suites_run_by(node, model.source);
                    suites.extend(run.into_iter().map(|s| (s, name.clone())));
                }
            }
        }
        Self { helpers: Helpers::of(&models), suites }
    }
}

fn in_source(source: &str, path: &str, package: &str, folder: &Folder, found: &mut Vec<TestItem>) {
    let Some(parsed) = Language::Go.parse(source) else { return };
    let model = &TestModel::of(Language::Go, parsed.root_node(), source);
    for node in syntax::children(parsed.root_node()) {
        let (name, shape) = match (test_name(node, source), suite_method(node, source)) {
            (Some(name), _) if name.starts_with("Example") => (name, Shape::Sound),
            (Some(name), _) => (name, shape::of(node, model, &folder.helpers)),
            (None, Some((suite, method))) => match folder.suites.get(&suite) {
                Some(runner) => {
                    (format!("{runner}/{method}"), shape::of(node, model, &folder.helpers))
                }
                None => continue,
            },
            (None, None) => continue,
        };
        found.push(TestItem {
            id: TestId::new(format!("{package} {name}")),
            place: Place { file: path.to_owned(), line: Some(syntax::line(node)) },
            text: syntax::folded(syntax::text(node, source)),
            shape,
        });
    }
}

/// The name of a function that Go runs as a test, a fuzz test with its seeds, or an example with an output.
fn test_name(node: Node<'_>, source: &str) -> Option<String> {
    if node.kind() != "function_declaration"
        || node.child_by_field_name("type_parameters").is_some()
    {
        return None;
    }
    let name = syntax::field(node, "name", source);
    let parameters =
        node.child_by_field_name("parameters").map(syntax::children).unwrap_or_default();
    let takes = |kind: &str| match parameters.as_slice() {
        [only] => {
            let given = syntax::field(*only, "type", source);
            given.strip_prefix('*').is_some_and(|t| t == kind || t.ends_with(&format!(".{kind}")))
        }
        _ => false,
    };
    let is_run = (has_prefix(name, "Test") && takes("T"))
        || (has_prefix(name, "Fuzz") && takes("F"))
        || (has_prefix(name, "Example") && parameters.is_empty() && has_output(node, source));
    is_run.then(|| name.to_owned())
}

/// `Test`, `TestX` and `Test_x`, but not `Testing`.
fn has_prefix(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix)
        .is_some_and(|rest| rest.chars().next().is_none_or(|c| !c.is_lowercase()))
}

/// Whether the last comment of an example says what it prints. One that does not is compiled and never run.
fn has_output(function: Node<'_>, source: &str) -> bool {
    let body = function.child_by_field_name("body");
    let all = body.into_iter().flat_map(syntax::nodes);
    let mut comments: Vec<Node<'_>> = all.filter(|n| n.kind() == "comment").collect();
    let Some(mut first) = comments.pop() else { return false };
    while let Some(above) = comments.pop() {
        if above.end_position().row + 1 != first.start_position().row {
            break;
        }
        first = above;
    }
    let text =
        syntax::text(first, source).trim_start_matches(['/', '*']).trim_start().to_lowercase();
    text.strip_prefix("unordered ").unwrap_or(&text).trim_start().starts_with("output:")
}

/// The type and the name of a method that a testify suite runs as a test.
fn suite_method(node: Node<'_>, source: &str) -> Option<(String, String)> {
    if node.kind() != "method_declaration" {
        return None;
    }
    let name = syntax::field(node, "name", source);
    let is_plain =
        node.child_by_field_name("parameters").is_some_and(|p| p.named_child_count() == 0);
    let receiver = node.child_by_field_name("receiver")?.named_child(0)?;
    let suite = syntax::field(receiver, "type", source).trim_start_matches('*');
    (name.starts_with("Test") && is_plain).then(|| (suite.to_owned(), name.to_owned()))
}

/// The types that a test hands to `suite.Run`.
fn suites_run_by(function: Node<'_>, source: &str) -> Vec<String> {
    let runs = |n: &Node<'_>| syntax::field(*n, "function", source) == "suite.Run";
    let given = syntax::nodes(function).filter(runs).map(|n| syntax::field(n, "arguments", source));
    let words = given.flat_map(|list| list.split(|c: char| !(c.is_alphanumeric() || c == '_')));
    words.filter(|w| !w.is_empty() && *w != "t").map(str::to_owned).collect()
}

#[cfg(test)]
#[path = "items_tests.rs"]
mod tests;
