//! The tests in Rust sources, with the ids that nextest gives them: `binary-id module::test`. A file is followed from
//! the crate roots through `mod` declarations, so that its ids are those of the binaries that really hold it.
//! What the bodies check is `shape`'s.

use super::split::is_test_function_attribute;
use super::{attributed, shape};
use crate::language::Language;
use crate::syntax;
use crate::test_model::TestModel;
use crate::tree::{Tree, below, parent, text, upward};
use crate::zone::has_ending;
use proctor_core::item::TestItem;
use proctor_core::report::Place;
use proctor_core::words::TestId;
use std::collections::{BTreeMap, BTreeSet};
use tree_sitter::Node;

/// A file as part of a binary: its id, and the file's module path in it.
type Home = (String, Vec<String>);

/// The tests in these files.
pub fn items(tree: &dyn Tree, paths: &[String]) -> Vec<TestItem> {
    let all: BTreeSet<String> = tree.paths().into_iter().collect();
    let mut homes: BTreeMap<String, BTreeMap<String, Vec<Home>>> = BTreeMap::new();
    let mut found = Vec::new();
    for path in paths.iter().filter(|p| has_ending(p, "rs")) {
        let Some(source) = text(tree, path) else { continue };
        let Some(package) = Package::around(tree, path) else { continue };
        let reached =
            homes.entry(package.folder.clone()).or_insert_with(|| package.files(tree, &all));
        let guess = || vec![package.guess(path)];
        let file_homes = reached.get(path).cloned().unwrap_or_else(guess);
        let Some(parsed) = Language::Rust.parse(&source) else { continue };
        let model = TestModel::of(Language::Rust, parsed.root_node(), &source);
        for (binary, mut modules) in file_homes {
            let file = File { path, binary: &binary, model: &model };
            file.block(parsed.root_node(), &mut modules, &mut found);
        }
    }
    found
}

/// A package of cargo's: its folder and what its manifest says.
pub struct Package {
    pub folder: String,
    pub name: String,
    manifest: toml::Table,
}

impl Package {
    /// The one that a file belongs to.
    pub fn around(tree: &dyn Tree, path: &str) -> Option<Self> {
        upward(parent(path)).into_iter().find_map(|folder| {
            let manifest: toml::Table =
                toml::from_str(&text(tree, &below(folder, "Cargo.toml"))?).ok()?;
            let name = manifest.get("package")?.get("name")?.as_str()?.to_owned();
            Some(Self { folder: folder.to_owned(), name, manifest })
        })
    }

    /// Whether its library is a procedural macro.
    pub fn is_macro(&self) -> bool {
        let lib = self.manifest.get("lib");
        let says = |key: &str| lib.and_then(|l| l.get(key)).and_then(toml::Value::as_bool);
        says("proc-macro").or_else(|| says("proc_macro")).unwrap_or(false)
    }

    /// The name of its library, as code uses it.
    pub fn library(&self) -> String {
        let lib = self.manifest.get("lib");
        let given = lib.and_then(|l| l.get("name")).and_then(toml::Value::as_str);
        given.map_or_else(|| self.name.replace('-', "_"), str::to_owned)
    }

    /// Every file that the package's crates reach, with its homes.
    fn files(&self, tree: &dyn Tree, all: &BTreeSet<String>) -> BTreeMap<String, Vec<Home>> {
        let mut reached = BTreeMap::new();
        for (binary, root) in self.roots(all) {
            follow(tree, all, &root, parent(&root), &binary, &[], &mut reached);
        }
        reached
    }

    /// The crate roots that `cargo test` builds, with their binary ids.
    pub fn roots(&self, all: &BTreeSet<String>) -> Vec<(String, String)> {
        let name = &self.name;
        let at = |path: &str| below(&self.folder, path);
        let mut roots = Vec::new();
        let lib = self
            .manifest
            .get("lib")
            .and_then(|l| l.get("path"))
            .and_then(toml::Value::as_str)
            .unwrap_or("src/lib.rs");
        roots.push((name.clone(), at(lib)));
        roots.push((format!("{name}::bin/{name}"), at("src/main.rs")));
        for (kind, folder) in [("bin", "src/bin"), ("test", "tests"), ("example", "examples")] {
            let id = |target: &str| match kind {
                "test" => format!("{name}::{target}"),
                kind => format!("{name}::{kind}/{target}"),
            };
            for (target, path) in self.declared(kind, folder, all) {
                roots.retain(|(_, root)| *root != at(&path));
                roots.push((id(&target), at(&path)));
            }
            // Examples are built as tests only where the manifest says so.
            if kind == "example" {
                continue;
            }
            let prefix = format!("{}/", at(folder));
            for rest in all.iter().filter_map(|p| p.strip_prefix(&prefix)) {
                let target = match rest.split_once('/') {
                    None => rest.strip_suffix(".rs"),
                    Some((target, "main.rs")) => Some(target),
                    Some(_) => None,
                };
                let root = format!("{prefix}{rest}");
                if let Some(target) = target.filter(|_| !roots.iter().any(|(_, r)| *r == root)) {
                    roots.push((id(target), root));
                }
            }
        }
        roots.retain(|(_, root)| all.contains(root));
        roots
    }

    /// The targets of a kind that the manifest lists, with their files.
    fn declared(&self, kind: &str, folder: &str, all: &BTreeSet<String>) -> Vec<(String, String)> {
        let entries = self.manifest.get(kind).and_then(toml::Value::as_array);
        let mut found = Vec::new();
        for entry in entries.into_iter().flatten() {
            let get = |key: &str| entry.get(key).and_then(toml::Value::as_str);
            let tested =
                entry.get("test").and_then(toml::Value::as_bool).unwrap_or(kind != "example");
            let Some(target) = get("name").filter(|_| tested) else { continue };
            let usual = [format!("{folder}/{target}.rs"), format!("{folder}/{target}/main.rs")];
            let usual = usual.into_iter().find(|p| all.contains(&below(&self.folder, p)));
            found.extend(get("path").map(str::to_owned).or(usual).map(|p| (target.to_owned(), p)));
        }
        found
    }

    /// Where a file that no crate reaches would live by its path: so that a test that is never compiled still has
    /// an id that can be missed.
    fn guess(&self, path: &str) -> Home {
        let rest = path.strip_prefix(&self.folder).unwrap_or(path).trim_start_matches('/');
        let rest = rest.trim_end_matches(".rs").trim_end_matches("/mod");
        let mut parts: Vec<String> = rest.split('/').map(str::to_owned).collect();
        let first = if parts.is_empty() { String::new() } else { parts.remove(0) };
        if first == "tests" && !parts.is_empty() {
            let target = parts.remove(0);
            return (format!("{}::{target}", self.name), parts);
        }
        (self.name.clone(), parts)
    }
}

/// Follows `mod name;` from a file. `folder` is where its child modules lie.
fn follow(
    tree: &dyn Tree,
    all: &BTreeSet<String>,
    file: &str,
    folder: &str,
    binary: &str,
    modules: &[String],
    reached: &mut BTreeMap<String, Vec<Home>>,
) {
    let home = (binary.to_owned(), modules.to_vec());
    let list = reached.entry(file.to_owned()).or_default();
    if list.contains(&home) || modules.len() > 40 {
        return;
    }
    list.push(home);
    let Some(source) = text(tree, file) else { return };
    let Some(parsed) = Language::Rust.parse(&source) else { return };
    let mut declared = Vec::new();
    declarations(parsed.root_node(), &source, &mut Vec::new(), &mut declared);
    for (inner, path) in declared {
        let mut child = modules.to_vec();
        child.extend(inner.iter().cloned());
        let candidates = if let Some(path) = path {
            vec![normal(&below(parent(file), &path))]
        } else {
            let base = below(folder, &inner.join("/"));
            vec![format!("{base}.rs"), format!("{base}/mod.rs")]
        };
        if let Some(next) = candidates.into_iter().find(|c| all.contains(c)) {
            let mod_rs = next.ends_with("/mod.rs");
            let below_it = if mod_rs {
                parent(&next).to_owned()
            } else {
                next.trim_end_matches(".rs").to_owned()
            };
            follow(tree, all, &next, &below_it, binary, &child, reached);
        }
    }
}

/// A path without `..`.
pub(super) fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            ".." => {
                parts.pop();
            }
            "." => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Every `mod name;` with the inline modules around it, and its `#[path]`.
fn declarations(
    block: Node<'_>,
    source: &str,
    around: &mut Vec<String>,
    found: &mut Vec<(Vec<String>, Option<String>)>,
) {
    for (node, attributes) in attributed(block) {
        if node.kind() != "mod_item" {
            continue;
        }
        around.push(syntax::field(node, "name", source).to_owned());
        if let Some(body) = node.child_by_field_name("body") {
            declarations(body, source, around, found);
        } else {
            let path = attributes.iter().find_map(|a| path_attribute(syntax::text(*a, source)));
            found.push((around.clone(), path));
        }
        around.pop();
    }
}

/// The file in `#[path = "…"]`.
pub(super) fn path_attribute(attribute: &str) -> Option<String> {
    let inner = attribute.trim_start_matches("#[").trim_start();
    let value = inner.strip_prefix("path")?.trim_start().strip_prefix('=')?;
    value.split('"').nth(1).map(str::to_owned)
}

struct File<'a> {
    path: &'a str,
    binary: &'a str,
    model: &'a TestModel<'a>,
}

impl File<'_> {
    fn block(&self, block: Node<'_>, modules: &mut Vec<String>, found: &mut Vec<TestItem>) {
        for (node, lead) in attributed(block) {
            modules.push(syntax::field(node, "name", self.model.source).to_owned());
            match (node.kind(), node.child_by_field_name("body")) {
                ("mod_item", Some(body)) => self.block(body, modules, found),
                ("function_item", _) => found.extend(self.function(node, &lead, modules)),
                _ => {}
            }
            modules.pop();
        }
    }

    fn function(&self, node: Node<'_>, lead: &[Node<'_>], path: &[String]) -> Option<TestItem> {
        let source = self.model.source;
        let attributes: Vec<&str> = lead.iter().map(|a| syntax::text(*a, source)).collect();
        if !attributes.iter().any(|a| is_test_function_attribute(a)) {
            return None;
        }
        let start = lead.first().map_or(node.start_byte(), Node::start_byte);
        let text = source.get(start..node.end_byte()).unwrap_or("");
        Some(TestItem {
            id: TestId::new(format!("{} {}", self.binary, path.join("::"))),
            place: Place { file: self.path.to_owned(), line: Some(syntax::line(node)) },
            text: syntax::folded(text),
            shape: shape::of(node, &attributes, self.model),
        })
    }
}

#[cfg(test)]
#[path = "items_tests.rs"]
mod tests;
