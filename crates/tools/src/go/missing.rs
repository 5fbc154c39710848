//! A compiler error as a missing name: which name, and whose code would hold it.

use super::listing::Listing;
use crate::ask::Ask;
use proctor_core::report::{Owner, Place};
use proctor_lang::Language;
use proctor_lang::go::imports::SourceFile;
use proctor_lang::go::modules::Module;
use proctor_lang::syntax;
use proctor_lang::tree::{FolderTree, Tree, below, parent, text};
use proctor_lang::zone::{Zone, has_ending, zone};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use tree_sitter::{Node, Point};

/// What is known of the tree's own names.
pub(crate) struct Names {
    tree: FolderTree,
    modules: Vec<Module>,
    /// The first test file of each package.
    first_tests: BTreeMap<String, String>,
    files: OnceCell<BTreeMap<String, SourceFile>>,
}

impl Names {
    pub(crate) fn of(ask: &Ask, listing: &Listing) -> Self {
        let tree = FolderTree::new(&ask.tree);
        let paths = tree.paths();
        let manifests = paths.iter().filter(|p| p.rsplit('/').next() == Some("go.mod"));
        let own = manifests.filter(|p| !is_copied(p));
        let modules = own.filter_map(|p| Module::at(&tree, parent(p))).collect();
        let first_tests = listing
            .packages
            .values()
            .filter_map(|p| Some((p.path.clone(), p.test_files.first()?.clone())))
            .collect();
        Self { tree, modules, first_tests, files: OnceCell::new() }
    }

    pub(crate) fn first_test(&self, package: &str) -> Option<String> {
        self.first_tests.get(package).cloned()
    }

    /// The missing name and its owner; none when the error is of another sort.
    pub(crate) fn missing(
        &self,
        place: &Place,
        column: u32,
        message: &str,
    ) -> Option<(String, Owner)> {
        let first = message.lines().next().unwrap_or(message);
        if let Some(name) = first.strip_prefix("undefined: ") {
            let name = name.split_whitespace().next()?;
            return Some(match name.rsplit_once('.') {
                Some((holder, member)) => {
                    (name.to_owned(), self.owner_of_member(place, holder, member))
                }
                None => (name.to_owned(), self.owner_of_bare(place, column, name)),
            });
        }
        if let Some((expression, why)) = first.split_once(" undefined (") {
            return self.selector(place, expression, why);
        }
        if let Some(rest) = first.strip_prefix("unknown field ") {
            let name = rest.split_whitespace().next()?.trim_matches('\'');
            let holder = rest.split_once(" of type ")?.1.trim();
            return Some(self.member(place, holder, name));
        }
        for lead in ["not enough arguments in call to ", "too many arguments in call to "] {
            if let Some(function) = first.strip_prefix(lead) {
                let function = function.split(['[', '(', ' ']).next()?.to_owned();
                let owner = self.owner_of_function(place, &function);
                return Some((function, owner));
            }
        }
        if let Some(function) = results_wanted(first) {
            let owner = self.owner_of_function(place, function);
            return Some((function.to_owned(), owner));
        }
        if let Some(rest) = first.strip_prefix("name ") {
            let (name, package) = rest.split_once(" not exported by package ")?;
            // It is there and another package can't have it: the test asks for what it must not.
            return Some((format!("{package}.{name}"), Owner::TestItself));
        }
        self.unimplemented(place, message)
    }

    /// `… T does not implement I (missing method Get)`, before 1.20 `(missing Get method)`.
    fn unimplemented(&self, place: &Place, message: &str) -> Option<(String, Owner)> {
        let (before, after) = message.split_once(" does not implement ")?;
        let holder = before.split([' ', '\n', '\t']).next_back()?;
        let inner = after.split_once("(missing ")?.1.split(')').next()?;
        let name = inner.strip_prefix("method ").or_else(|| inner.strip_suffix(" method"))?;
        Some(self.member(place, holder, name))
    }

    /// `c.Foo undefined (type a.Cart has no field or method Foo)`.
    fn selector(&self, place: &Place, expression: &str, why: &str) -> Option<(String, Owner)> {
        let name = expression.rsplit('.').next()?;
        if why.starts_with("cannot refer to unexported") {
            return Some((name.to_owned(), Owner::TestItself));
        }
        let holder = why.strip_prefix("type ")?;
        let end = holder.find(" has no ").or_else(|| holder.find(" is pointer to "))?;
        Some(self.member(place, holder.get(..end)?, name))
    }

    /// A field or method that a type lacks.
    fn member(&self, place: &Place, holder: &str, name: &str) -> (String, Owner) {
        let holder = holder.trim_start_matches('*').trim_start_matches("untyped ");
        let bare = holder.split('[').next().unwrap_or(holder);
        let full = if bare.is_empty() { name.to_owned() } else { format!("{bare}.{name}") };
        let owner = self.owner_of_type(place, bare);
        // Nobody but the type's own package could supply an unexported name.
        let foreign = bare.contains('.') && !is_exported(name);
        (full, if foreign && owner == Owner::Project { Owner::TestItself } else { owner })
    }

    /// Packages that an import can't find; none when the error is of another sort.
    pub(crate) fn missing_package(&self, message: &str) -> Option<(String, Owner)> {
        let first = message.lines().next().unwrap_or(message);
        let after = |mark: &str| first.split_once(mark).map(|(_, rest)| rest);
        let path = if first.contains(" is not in GOROOT") || first.contains(" is not in std") {
            after("package ")?.split_whitespace().next()?
        } else {
            let rest = after("no required module provides package ")
                .or_else(|| after("cannot find module providing package "))
                .or_else(|| after("cannot find package "))?;
            rest.split([';', ' ', ':']).next()?.trim_matches('"')
        };
        Some((path.to_owned(), self.owner_of_import(path)))
    }

    pub(crate) fn owner_of_import(&self, path: &str) -> Owner {
        match self.modules.iter().find_map(|m| m.folder_of(path)) {
            Some(folder) if zone(&below(&folder, "x.go")) == Zone::Test => Owner::TestItself,
            Some(_) => Owner::Project,
            None => Owner::Elsewhere,
        }
    }

    /// `holder.member`, where the holder is a package as the file calls it, or a type.
    fn owner_of_member(&self, place: &Place, holder: &str, member: &str) -> Owner {
        match self.import(place, holder) {
            Some(path) => match self.owner_of_import(&path) {
                Owner::Project if !is_exported(member) => Owner::TestItself,
                owner => owner,
            },
            None => self.owner_of_type(place, holder),
        }
    }

    /// The path behind the name of a package in a file. The file need not import it itself to see its types.
    fn import(&self, place: &Place, name: &str) -> Option<String> {
        let files = self.files();
        let here = files.get(&place.file).and_then(|f| f.imports.get(name)).cloned();
        here.or_else(|| {
            let (path, _) = files
                .iter()
                .find(|(path, file)| file.package == name && zone(path) == Zone::Production)?;
            let dir = parent(path);
            Some(Module::around(&self.tree, dir)?.import_path(dir))
        })
    }

    /// A name without a prefix.
    fn owner_of_bare(&self, place: &Place, column: u32, name: &str) -> Owner {
        if zone(&place.file) != Zone::Test {
            return Owner::Project;
        }
        let Some(file) = self.files().get(&place.file) else {
            return Owner::TestItself;
        };
        let usage = self.usage(place, column);
        let outside = file.package.ends_with("_test");
        let brought = file.dotted.iter().any(|p| self.owner_of_import(p) == Owner::Project);
        match usage {
            // What takes the test itself is one of its helpers.
            Usage::CallWithTest => Owner::TestItself,
            _ if outside && !(brought && is_exported(name)) => Owner::TestItself,
            Usage::Call | Usage::Type => Owner::Project,
            Usage::Value if is_exported(name) => Owner::Project,
            Usage::Value => Owner::TestItself,
        }
    }

    /// How the name at a place is used.
    fn usage(&self, place: &Place, column: u32) -> Usage {
        let source = text(&self.tree, &place.file).unwrap_or_default();
        let row = place.line.unwrap_or(1).saturating_sub(1) as usize;
        let at = Point::new(row, column.saturating_sub(1) as usize);
        let Some(parsed) = Language::Go.parse(&source) else {
            return Usage::Value;
        };
        let Some(node) = parsed.root_node().named_descendant_for_point_range(at, at) else {
            return Usage::Value;
        };
        if node.kind() == "type_identifier" {
            return Usage::Type;
        }
        let called = node.parent().filter(|p| {
            p.kind() == "call_expression" && p.child_by_field_name("function") == Some(node)
        });
        match called {
            Some(call) if takes_test(call, &source) => Usage::CallWithTest,
            Some(_) => Usage::Call,
            None => Usage::Value,
        }
    }

    fn owner_of_function(&self, place: &Place, function: &str) -> Owner {
        let Some((holder, name)) = function.rsplit_once('.') else {
            return self.declared_beside(place, |f| f.functions.contains(function));
        };
        if let Some(path) = self.files().get(&place.file).and_then(|f| f.imports.get(holder)) {
            return self.owner_of_import(path);
        }
        // A method of a value: the compiler does not say of which type.
        let files = self.files().iter().filter(|(_, f)| f.methods.contains(name));
        owner_of(files.map(|(path, _)| path.as_str()))
    }

    fn owner_of_type(&self, place: &Place, holder: &str) -> Owner {
        match holder.rsplit_once('.') {
            Some((package, _)) => {
                let path = package.trim_matches('"');
                match self.import(place, path) {
                    Some(path) => self.owner_of_import(&path),
                    None => self.owner_of_import(path),
                }
            }
            None => self.declared_beside(place, |f| f.types.contains(holder)),
        }
    }

    /// Who declares something in the package of a file.
    fn declared_beside(&self, place: &Place, declares: impl Fn(&SourceFile) -> bool) -> Owner {
        let dir = parent(&place.file);
        let beside = self.files().iter().filter(|(path, f)| parent(path) == dir && declares(f));
        owner_of(beside.map(|(path, _)| path.as_str()))
    }

    fn files(&self) -> &BTreeMap<String, SourceFile> {
        self.files.get_or_init(|| {
            let go = self.tree.paths().into_iter().filter(|p| has_ending(p, "go") && !is_copied(p));
            go.filter_map(|p| Some((p.clone(), SourceFile::read(&text(&self.tree, &p)?)))).collect()
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Usage {
    Call,
    CallWithTest,
    Type,
    Value,
}

fn owner_of<'p>(paths: impl Iterator<Item = &'p str>) -> Owner {
    let mut owner = Owner::Elsewhere;
    for path in paths {
        if zone(path) != Zone::Test {
            return Owner::Project;
        }
        owner = Owner::TestItself;
    }
    owner
}

fn takes_test(call: Node<'_>, source: &str) -> bool {
    let arguments = call.child_by_field_name("arguments").map(syntax::children);
    arguments.into_iter().flatten().any(|a| matches!(syntax::text(a, source), "t" | "tb" | "f"))
}

fn is_exported(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}

/// Code of others that lies in the tree.
pub(crate) fn is_copied(path: &str) -> bool {
    path.split('/').any(|part| part == "vendor")
}

/// The function that gives fewer results than the test takes: `F(x) (no value) used as value`, `assignment mismatch: 2
/// variables but F returns 1 value`, before 1.20 `F() returns no value`.
fn results_wanted(message: &str) -> Option<&str> {
    let call =
        message.split_once(" (no value) used as value").map(|(call, _)| call).or_else(|| {
            let (_, rest) = message.strip_prefix("assignment mismatch: ")?.split_once(" but ")?;
            rest.split_once(" returns ").map(|(call, _)| call)
        })?;
    let name = call.split(['[', '(', ' ']).next()?;
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::results_wanted;

    #[test]
    fn a_function_with_too_few_results_is_named() {
        for (message, name) in [
            ("ParseHex(tc.in) (no value) used as value", Some("ParseHex")),
            ("calc.Sum[int](x) (no value) used as value", Some("calc.Sum")),
            ("assignment mismatch: 2 variables but Parse(s) returns 1 value", Some("Parse")),
            ("assignment mismatch: 1 variable but shop.New returns 2 values", Some("shop.New")),
            ("x declared but not used", None),
        ] {
            assert_eq!(results_wanted(message), name, "{message}");
        }
    }
}
