//! A Go source file as far as names go: its package, what it imports, what it declares. Judges nothing.

use crate::language::Language;
use crate::syntax;
use std::collections::{BTreeMap, BTreeSet};
use tree_sitter::Node;

/// What one file takes in and declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceFile {
    pub package: String,
    /// Import paths by the name that the file uses; where it gives none, by what the path suggests.
    pub imports: BTreeMap<String, String>,
    /// Imported with a dot: their names need no prefix.
    pub dotted: BTreeSet<String>,
    pub types: BTreeSet<String>,
    pub functions: BTreeSet<String>,
    pub methods: BTreeSet<String>,
}

impl SourceFile {
    /// Empty where a source can't be read.
    pub fn read(source: &str) -> Self {
        let mut file = Self::default();
        let Some(parsed) = Language::Go.parse(source) else { return file };
        for node in syntax::children(parsed.root_node()) {
            file.declaration(node, source);
        }
        file
    }

    fn declaration(&mut self, node: Node<'_>, source: &str) {
        let name = || syntax::field(node, "name", source).to_owned();
        match node.kind() {
            "package_clause" => {
                let name = node.named_child(0).map_or("", |n| syntax::text(n, source));
                name.clone_into(&mut self.package);
            }
            "function_declaration" => {
                self.functions.insert(name());
            }
            "method_declaration" => {
                self.methods.insert(name());
            }
            "import_declaration" => {
                let specs = syntax::nodes(node).filter(|n| n.kind() == "import_spec");
                specs.for_each(|n| self.import(n, source));
            }
            "type_declaration" => {
                for spec in syntax::children(node) {
                    if matches!(spec.kind(), "type_spec" | "type_alias") {
                        self.types.insert(syntax::field(spec, "name", source).to_owned());
                        self.interface_methods(spec, source);
                    }
                }
            }
            _ => {}
        }
    }

    fn interface_methods(&mut self, spec: Node<'_>, source: &str) {
        let of = |n: &Node<'_>| matches!(n.kind(), "method_elem" | "method_spec");
        let names = syntax::nodes(spec).filter(of).map(|n| syntax::field(n, "name", source));
        self.methods.extend(names.map(str::to_owned));
    }

    fn import(&mut self, spec: Node<'_>, source: &str) {
        let path = syntax::field(spec, "path", source).trim_matches(['"', '`']).to_owned();
        match syntax::field(spec, "name", source) {
            "." => {
                self.dotted.insert(path);
            }
            "_" => {}
            "" => {
                self.imports.insert(usual_name(&path), path);
            }
            name => {
                self.imports.insert(name.to_owned(), path);
            }
        }
    }
}

/// The name that a package most likely has: the last part of its path, without a version.
fn usual_name(path: &str) -> String {
    let mut parts = path.rsplit('/');
    let last = parts.next().unwrap_or(path);
    let is_version = last
        .strip_prefix('v')
        .is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()));
    let name = if is_version { parts.next().unwrap_or(last) } else { last };
    name.split(".v").next().unwrap_or(name).trim_start_matches("go-").replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_known_by_the_name_that_the_file_uses() {
        let file = SourceFile::read(
            "package a_test\nimport (\n\t\"testing\"\n\tx \"a.com/b/c\"\n\t. \"a.com/d\"\n\t_ \"a.com/e\"\n\t\"a.com/f/v2\"\n\t\"gopkg.in/yaml.v3\"\n)\n\
             type Cart struct{}\ntype (\n\tA int\n\tB = int\n\tStore interface { Get() int }\n)\nfunc Add() {}\nfunc (c *Cart) Total() {}\n",
        );
        assert_eq!(file.package, "a_test");
        let names: Vec<&str> = file.imports.keys().map(String::as_str).collect();
        assert_eq!(names, ["f", "testing", "x", "yaml"]);
        assert!(file.dotted.contains("a.com/d"));
        assert_eq!(file.types.iter().collect::<Vec<_>>(), ["A", "B", "Cart", "Store"]);
        assert_eq!(file.methods.iter().collect::<Vec<_>>(), ["Get", "Total"]);
        assert!(file.functions.contains("Add"));
    }
}
