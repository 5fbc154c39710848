//! One crate of a package whose tests are called outside: where its sources are copied to, its main function, and whether
//! a panic is an assertion of its tests.

use super::mask::{self, Side};
use proctor_core::item::TestItem;
use proctor_core::words::TestId;
use proctor_lang::Language;
use proctor_lang::edit::Edit;
use proctor_lang::rust::items::Package;
use proctor_lang::rust::split::is_test_attribute;
use proctor_lang::syntax;
use proctor_lang::tree::{Tree, below, parent, text};
use proctor_lang::zone::has_ending;
use std::collections::{BTreeMap, BTreeSet};
use tree_sitter::Node;

pub(super) struct Root {
    /// `package`, `package::bin/name`, `package::name`.
    pub binary: String,
    /// The package's folder.
    pub package: String,
    /// The crate's own name, which its tests may ask for.
    pub name: String,
    /// The root file, relative to the package's folder.
    file: String,
    /// The folder that stands for the first folder of the root file.
    copy: String,
    pub bodies: Vec<Body>,
}

pub(super) struct Body {
    pub id: TestId,
    pub number: usize,
    /// `module::function` in the crate.
    pub path: String,
    pub panics: Panics,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Panics {
    Never,
    /// `#[should_panic]` without a text.
    Expected,
}

impl Root {
    /// The crates that hold these tests, in order. A test that is no plain function has no body here.
    pub(super) fn all(tree: &dyn Tree, tests: &[TestItem]) -> Vec<Self> {
        let paths: BTreeSet<String> = tree.paths().into_iter().collect();
        let mut by_binary: BTreeMap<(String, String), Vec<&TestItem>> = BTreeMap::new();
        for test in tests {
            let Some((binary, _)) = test.id.as_str().split_once(' ') else { continue };
            let Some(package) = Package::around(tree, &test.place.file) else { continue };
            by_binary.entry((package.folder, binary.to_owned())).or_default().push(test);
        }
        let mut taken = BTreeSet::new();
        let mut found = Vec::new();
        for ((folder, binary), tests) in by_binary {
            let Some(package) = Package::around(tree, &below(&folder, "Cargo.toml")) else {
                continue;
            };
            if package.is_macro() {
                continue;
            }
            let Some((_, file)) = package.roots(&paths).into_iter().find(|(id, _)| *id == binary)
            else {
                continue;
            };
            let file =
                file.strip_prefix(&folder).unwrap_or(&file).trim_start_matches('/').to_owned();
            let last = binary.rsplit(['/', ':']).next().unwrap_or(&binary);
            let mut name = if binary == package.name { package.library() } else { last.to_owned() };
            while !taken.insert((folder.clone(), name.clone())) {
                name.push_str("_too");
            }
            let copy = format!("plain{}", found.len());
            let bodies = bodies(tree, &tests);
            if file.contains('/') && !bodies.is_empty() {
                found.push(Self { binary, package: folder, name, file, copy, bodies });
            }
        }
        found
    }

    pub(super) fn manifest(&self) -> String {
        below(&self.package, "Cargo.toml")
    }

    /// What the manifest says of it.
    pub(super) fn declaration(&self) -> String {
        format!("\n[[example]]\nname = \"{}\"\npath = \"{}\"\n", self.name, self.copied(&self.file))
    }

    /// The place of a copy, both relative to the package's folder. It lies as deep as its original.
    fn copied(&self, file: &str) -> String {
        file.split_once('/').map_or_else(|| file.to_owned(), |(_, rest)| below(&self.copy, rest))
    }

    /// The copies of all files of the crate; none where one can't be read.
    pub(super) fn files(&self, tree: &dyn Tree, word: &str) -> Option<Vec<(String, Vec<u8>)>> {
        let first = self.file.split('/').next()?;
        let inside = format!("{}/", below(&self.package, first));
        let root = below(&self.package, &self.file);
        let paths: Vec<String> =
            tree.paths().into_iter().filter(|p| p.starts_with(&inside)).collect();
        let tests = only_in_tests(tree, &paths);
        let mut files = Vec::new();
        for path in paths {
            let own = path.strip_prefix(&self.package)?.trim_start_matches('/').to_owned();
            let bytes = match text(tree, &path).filter(|_| has_ending(&path, "rs")) {
                None => tree.read(&path)?,
                Some(source) => {
                    let side = if first == "tests" || tests.contains(&path) {
                        Side::Test
                    } else {
                        Side::Production
                    };
                    // Ours first: what allows every lint stands before all else.
                    let mut edits =
                        if path == root { self.main_edits(&source, word) } else { Vec::new() };
                    edits.extend(mask::edits(&source, side));
                    Edit::applied(&source, &edits).into_bytes()
                }
            };
            files.push((below(&self.package, &self.copied(&own)), bytes));
        }
        Some(files)
    }

    /// A main function of ours in the root file; one that is there has another name.
    fn main_edits(&self, source: &str, word: &str) -> Vec<Edit> {
        let at = |from: usize, to: usize, text: String| Edit {
            line: 1,
            from,
            to,
            text,
            what: String::new(),
        };
        let mut edits = vec![at(0, 0, "#![allow(warnings)] ".to_owned())];
        if let Some(parsed) = Language::Rust.parse(source) {
            for node in syntax::children(parsed.root_node()) {
                let name =
                    node.child_by_field_name("name").filter(|_| node.kind() == "function_item");
                if let Some(name) = name.filter(|n| syntax::text(*n, source) == "main") {
                    edits.push(at(name.start_byte(), name.end_byte(), "former_main".to_owned()));
                }
            }
        }
        let call = |body: &Body| {
            let (number, path) = (body.number, &body.path);
            format!("Some({number}) => ::std::process::Termination::report(crate::{path}()),\n")
        };
        let calls: Vec<String> = self.bodies.iter().map(call).collect();
        let main = format!(
            "\nfn main() -> ::std::process::ExitCode {{\n    let given = ::std::env::args().nth(1);\n    \
             let number = given.and_then(|n| n.parse::<usize>().ok());\n    let end = match number {{\n{}\
             _ => ::std::process::ExitCode::from(9),\n    }};\n    \
             ::std::println!(\"\\n{word} {{{{\\\"returned\\\":{{}}}}}}\", number.unwrap_or(0));\n    end\n}}\n",
            calls.concat()
        );
        edits.push(at(source.len(), source.len(), main));
        edits
    }

    /// The message of a panic that is an assertion in the tests of this crate.
    pub(super) fn assertion(&self, tree: &dyn Tree, said: &str) -> Option<String> {
        let lines: Vec<&str> = said.lines().collect();
        let index =
            lines.iter().position(|l| l.starts_with("thread '") && l.contains(" panicked at "))?;
        let (_, place) = lines.get(index)?.split_once(" panicked at ")?;
        let mut parts = place.trim_end_matches(':').rsplitn(3, ':');
        let _column = parts.next()?;
        let row: usize = parts.next()?.parse().ok()?;
        let file = parts.next()?;
        let (_, rest) = file.split_once(&format!("{}/", self.copy))?;
        let first = self.file.split('/').next()?;
        let path = below(&self.package, &below(first, rest));
        let source = text(tree, &path)?;
        let line = source.lines().nth(row.checked_sub(1)?)?.trim_start();
        let in_tests = first == "tests" || in_test_item(&source, row);
        let checks = line.contains("assert");
        if !(in_tests && checks) {
            return None;
        }
        let message: Vec<&str> = lines
            .get(index + 1..)?
            .iter()
            .take_while(|l| !l.starts_with("note: run with"))
            .copied()
            .collect();
        Some(format!("{path}:{row}: {}", message.join("\n")))
    }
}

/// The plain test functions among these tests.
fn bodies(tree: &dyn Tree, tests: &[&TestItem]) -> Vec<Body> {
    let mut found = Vec::new();
    let mut sources: BTreeMap<&str, Option<String>> = BTreeMap::new();
    for test in tests {
        let file = test.place.file.as_str();
        let source = sources.entry(file).or_insert_with(|| text(tree, file));
        let Some((_, path)) = test.id.as_str().split_once(' ') else { continue };
        let panics = source.as_deref().and_then(|source| plain(source, test));
        let known = |body: &Body| body.id == test.id;
        if let Some(panics) = panics.filter(|_| !found.iter().any(known)) {
            let (id, number) = (test.id.clone(), found.len());
            found.push(Body { id, number, path: path.to_owned(), panics });
        }
    }
    found
}

/// Whether the function of a test has only attributes that are known here.
fn plain(source: &str, test: &TestItem) -> Option<Panics> {
    let parsed = Language::Rust.parse(source)?;
    let mut found = None;
    syntax::walk(parsed.root_node(), &|_| true, &mut |node| {
        let mut lead: Vec<String> = Vec::new();
        for child in syntax::children(node) {
            match child.kind() {
                "attribute_item" => {
                    lead.push(syntax::text(child, source).replace(char::is_whitespace, ""));
                }
                "line_comment" | "block_comment" => {}
                kind => {
                    if kind == "function_item" && Some(syntax::line(child)) == test.place.line {
                        found = Some((child, lead.clone()));
                    }
                    lead.clear();
                }
            }
        }
    });
    let (function, lead): (Node<'_>, Vec<String>) = found?;
    let quiet = |a: &str| {
        a == "#[test]"
            || a == "#[should_panic]"
            || a.starts_with("#[allow(")
            || a.starts_with("#[doc")
    };
    let no_parameters =
        function.child_by_field_name("parameters").is_some_and(|p| p.named_child_count() == 0);
    let head = source.get(function.start_byte()..function.start_byte() + 40).unwrap_or("");
    let is_async = head.split("fn ").next().is_some_and(|before| before.contains("async"));
    let plain = no_parameters && !is_async && lead.iter().all(|a| quiet(a));
    let expected = lead.iter().any(|a| a == "#[should_panic]");
    let panics = if expected { Panics::Expected } else { Panics::Never };
    (plain && lead.iter().any(|a| a == "#[test]")).then_some(panics)
}

/// Whether a line lies in an item that is there only in the test build.
fn in_test_item(source: &str, row: usize) -> bool {
    let Some(parsed) = Language::Rust.parse(source) else { return false };
    let mut inside = false;
    syntax::walk(parsed.root_node(), &|_| true, &mut |node| {
        let mut test = false;
        for child in syntax::children(node) {
            if child.kind() == "attribute_item" {
                test |= is_test_attribute(syntax::text(child, source));
                continue;
            }
            let rows = child.start_position().row + 1..=child.end_position().row + 1;
            inside |= test && rows.contains(&row);
            if !matches!(child.kind(), "line_comment" | "block_comment") {
                test = false;
            }
        }
    });
    inside
}

/// Files that are reached only through `#[cfg(test)] mod name;`, and all below them.
fn only_in_tests(tree: &dyn Tree, paths: &[String]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for path in paths.iter().filter(|p| has_ending(p, "rs")) {
        let Some(source) = text(tree, path) else { continue };
        let Some(parsed) = Language::Rust.parse(&source) else { continue };
        let name = path.rsplit('/').next().unwrap_or(path);
        let folder = if ["lib.rs", "main.rs", "mod.rs"].contains(&name) {
            parent(path).to_owned()
        } else {
            path.trim_end_matches(".rs").to_owned()
        };
        let mut lead: Vec<&str> = Vec::new();
        for node in syntax::children(parsed.root_node()) {
            if node.kind() == "attribute_item" {
                lead.push(syntax::text(node, &source));
                continue;
            }
            let apart = node.kind() == "mod_item" && node.child_by_field_name("body").is_none();
            if apart && lead.iter().any(|a| is_test_attribute(a)) {
                let module = syntax::field(node, "name", &source);
                let given =
                    lead.iter().find(|a| a.contains("path")).and_then(|a| a.split('"').nth(1));
                let place = below(&folder, module);
                let file = format!("{place}.rs");
                let other = given.and_then(|given| proctor_lang::tree::joined(parent(path), given));
                found.extend(
                    paths
                        .iter()
                        .filter(|p| {
                            **p == file
                                || p.starts_with(&format!("{place}/"))
                                || Some(*p) == other.as_ref()
                        })
                        .cloned(),
                );
            }
            lead.clear();
        }
    }
    found
}
