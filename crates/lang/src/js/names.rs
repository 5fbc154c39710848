//! What the names of one JavaScript or TypeScript source stand for: imports, functions, and what is put into
//! variables. Scopes are not told apart, so a name may stand for several things, and whoever asks must want them all
//! to agree.

use super::script::{arguments, bare, is_function, string};
use crate::syntax;
use std::collections::BTreeMap;
use tree_sitter::Node;

/// A name that comes from a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    pub specifier: String,
    pub what: Imported,
}

/// What of a module a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Imported {
    Default,
    Named(String),
    /// The module itself: `import * as x`, `const x = require(…)`.
    Whole,
}

/// An expression that a name was bound to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value<'t> {
    pub(crate) from: Node<'t>,
    pub(crate) part: Part,
    pub(crate) fixed: Fixed,
}

/// How much of the expression the name got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    All,
    /// A part that was taken out: `const { total } = cart`.
    Inside,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fixed {
    /// Bound by `const`.
    Once,
    Changing,
}

/// The names of one source, and what each is bound to.
#[derive(Default)]
pub struct Names<'t> {
    pub imports: BTreeMap<String, Vec<Import>>,
    pub(crate) values: BTreeMap<String, Vec<Value<'t>>>,
    pub(crate) functions: BTreeMap<String, Node<'t>>,
    pub(crate) classes: BTreeMap<String, Node<'t>>,
}

impl<'t> Names<'t> {
    /// Those below a node.
    pub fn of(root: Node<'t>, source: &str) -> Self {
        let mut names = Self::default();
        syntax::walk(root, &|_| true, &mut |node| names.note(node, source));
        names
    }

    fn note(&mut self, node: Node<'t>, source: &str) {
        match node.kind() {
            "import_statement" => self.import_statement(node, source),
            "variable_declarator" => {
                let kind = node.parent().and_then(|p| p.child_by_field_name("kind"));
                let fixed = match kind.map(|k| syntax::text(k, source)) {
                    Some("const") => Fixed::Once,
                    _ => Fixed::Changing,
                };
                if let (Some(name), Some(value)) =
                    (node.child_by_field_name("name"), node.child_by_field_name("value"))
                {
                    self.bind(name, value, fixed, source);
                }
            }
            "assignment_expression" => {
                if let (Some(left), Some(right)) =
                    (node.child_by_field_name("left"), node.child_by_field_name("right"))
                {
                    self.bind(left, right, Fixed::Changing, source);
                }
            }
            "function_declaration" | "generator_function_declaration" => {
                self.functions.insert(syntax::field(node, "name", source).to_owned(), node);
            }
            "class_declaration" | "abstract_class_declaration" => {
                self.classes.insert(syntax::field(node, "name", source).to_owned(), node);
            }
            _ => {}
        }
    }

    fn import_statement(&mut self, node: Node<'t>, source: &str) {
        // `import type` brings nothing at run time.
        let typed = |n: Node<'_>| n.child(0).is_some_and(|c| c.kind() == "type");
        if node.child(1).is_some_and(|c| c.kind() == "type") {
            return;
        }
        if let Some(clause) = child_of_kind(node, "import_require_clause") {
            // `import x = require('…')`
            let specifier = syntax::field(clause, "source", source).trim_matches(['"', '\'']);
            let name = syntax::children(clause).first().map_or("", |n| syntax::text(*n, source));
            self.import(name, specifier, Imported::Whole);
            return;
        }
        let Some(specifier) = node.child_by_field_name("source").and_then(|s| string(s, source))
        else {
            return;
        };
        let Some(clause) = child_of_kind(node, "import_clause") else { return };
        for part in syntax::children(clause) {
            match part.kind() {
                "identifier" => {
                    self.import(syntax::text(part, source), &specifier, Imported::Default);
                }
                "namespace_import" => {
                    let name = syntax::children(part).first().copied();
                    let name = name.map_or("", |n| syntax::text(n, source));
                    self.import(name, &specifier, Imported::Whole);
                }
                "named_imports" => {
                    for one in syntax::children(part).into_iter().filter(|n| !typed(*n)) {
                        let name = syntax::field(one, "name", source).trim_matches(['"', '\'']);
                        let alias = syntax::field(one, "alias", source);
                        let local = if alias.is_empty() { name } else { alias };
                        self.import(local, &specifier, named(name));
                    }
                }
                _ => {}
            }
        }
    }

    fn import(&mut self, local: &str, specifier: &str, what: Imported) {
        let import = Import { specifier: specifier.to_owned(), what };
        let list = self.imports.entry(local.to_owned()).or_default();
        if !list.contains(&import) {
            list.push(import);
        }
    }

    /// A pattern gets a value: by declaration or by assignment.
    fn bind(&mut self, pattern: Node<'t>, value: Node<'t>, fixed: Fixed, source: &str) {
        let inner = bare(value);
        if let Some((specifier, member)) = imported_module(inner, source) {
            self.bind_import(pattern, &specifier, member, source);
            return;
        }
        if pattern.kind() == "identifier" {
            let name = syntax::text(pattern, source).to_owned();
            if is_function(inner) && fixed == Fixed::Once {
                self.functions.insert(name, inner);
            } else {
                let value = Value { from: inner, part: Part::All, fixed };
                self.values.entry(name).or_default().push(value);
            }
            return;
        }
        let mut bound = Vec::new();
        super::script::bound(pattern, source, &mut bound);
        for name in bound {
            let value = Value { from: inner, part: Part::Inside, fixed };
            self.values.entry(name).or_default().push(value);
        }
    }

    fn bind_import(
        &mut self,
        pattern: Node<'t>,
        specifier: &str,
        member: Option<&str>,
        source: &str,
    ) {
        if pattern.kind() == "identifier" {
            let what = member.map_or(Imported::Whole, named);
            self.import(syntax::text(pattern, source), specifier, what);
            return;
        }
        for part in syntax::children(pattern) {
            let key = match part.kind() {
                "pair_pattern" => syntax::field(part, "key", source),
                "object_assignment_pattern" => syntax::field(part, "left", source),
                _ => syntax::text(part, source).trim_start_matches("..."),
            };
            let what = named(member.unwrap_or(key.trim_matches(['"', '\''])));
            let mut bound = Vec::new();
            super::script::bound(part, source, &mut bound);
            for local in bound {
                self.import(&local, specifier, what.clone());
            }
        }
    }

    /// Whether a variable has this name.
    pub fn is_variable(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// What a name was imported as, where it is bound by nothing else.
    pub fn only_import(&self, name: &str) -> Option<&Import> {
        match self.imports.get(name).map(Vec::as_slice) {
            Some([one]) if !self.values.contains_key(name) => Some(one),
            _ => None,
        }
    }

    /// The one expression that a `const` of this name holds.
    pub fn only_const(&self, name: &str) -> Option<Node<'t>> {
        match self.values.get(name).map(Vec::as_slice) {
            Some([Value { from, part: Part::All, fixed: Fixed::Once }])
                if !self.imports.contains_key(name) =>
            {
                Some(*from)
            }
            _ => None,
        }
    }
}

fn named(name: &str) -> Imported {
    if name == "default" { Imported::Default } else { Imported::Named(name.to_owned()) }
}

fn child_of_kind<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    syntax::children(node).into_iter().find(|n| n.kind() == kind)
}

/// The module that an expression loads, and the member that is taken from it: `require('x')`, `import('x')`,
/// `jest.requireActual('x')`, `vi.importActual('x')`, `require('x').y`.
pub(crate) fn imported_module<'s>(
    node: Node<'_>,
    source: &'s str,
) -> Option<(String, Option<&'s str>)> {
    let node = bare(node);
    if node.kind() == "member_expression" {
        let (specifier, member) = imported_module(node.child_by_field_name("object")?, source)?;
        return Some((specifier, member.or(Some(syntax::field(node, "property", source)))));
    }
    let (function, specifier) = match node.kind() {
        "call_expression" => {
            (node.child_by_field_name("function")?, arguments(node).first().copied()?)
        }
        // The parser takes `vi.importActual<typeof import('x')>('x')` for two comparisons.
        "binary_expression" => {
            let left = node.child_by_field_name("left").filter(|n| n.kind() == node.kind())?;
            (left.child_by_field_name("left")?, bare(node.child_by_field_name("right")?))
        }
        _ => return None,
    };
    // And `await f<T>()` for a call of `await f`.
    let loads = matches!(
        syntax::text(bare(function), source),
        "require"
            | "import"
            | "module.require"
            | "jest.requireActual"
            | "jest.requireMock"
            | "vi.importActual"
            | "vi.importMock"
            | "vitest.importActual"
    );
    Some((string(specifier, source).filter(|_| loads)?, None))
}
