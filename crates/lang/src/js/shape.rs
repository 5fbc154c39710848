//! What one statement of a JavaScript test says: how it ends, whether it checks something. The words of an assertion are
//! `expectation`'s.

use super::expectation::{self, fails, starts_like_a_check};
use super::names::{Import, Imported, Names};
use super::paths::located;
use super::script::{Script, arguments, bare, bound, chain, holds_own, is_function, parameters};
use crate::shape::{self, Plain, Statements};
use crate::syntax;
use crate::tree::{Tree, joined, parent};
use crate::words::Words;
use crate::zone::{Zone, zone};
use proctor_core::item::Shape;
use std::cell::RefCell;
use std::collections::BTreeMap;
use tree_sitter::Node;

/// How many files a helper is followed through.
const FILES: u8 = 3;

/// Queries of testing-library that throw where they find nothing.
const QUERIES: Words =
    Words("ByRole ByLabelText ByPlaceholderText ByText ByDisplayValue ByAltText ByTitle ByTestId");

/// Judges the tests of one file.
pub(crate) struct Shapes<'a> {
    pub(crate) tree: &'a dyn Tree,
    pub(crate) script: &'a Script,
    pub(crate) names: &'a Names<'a>,
    files: u8,
    /// The functions that were asked about. One that is being read has not checked anything yet, so that one that
    /// calls itself ends, and each is read once however often it is called.
    known: RefCell<BTreeMap<String, bool>>,
}

impl<'a> Shapes<'a> {
    pub(crate) fn new(tree: &'a dyn Tree, script: &'a Script, names: &'a Names<'a>) -> Self {
        Self::within(tree, script, names, FILES)
    }

    fn within(tree: &'a dyn Tree, script: &'a Script, names: &'a Names<'a>, files: u8) -> Self {
        Self { tree, script, names, files, known: RefCell::default() }
    }

    /// The answer to a question about a function, found out once.
    fn once(&self, question: String, answer: impl FnOnce() -> bool) -> bool {
        if let Some(known) = self.known.borrow().get(&question) {
            return *known;
        }
        self.known.borrow_mut().insert(question.clone(), false);
        let found = answer();
        self.known.borrow_mut().insert(question, found);
        found
    }

    /// Whether a check stands among a call's arguments.
    pub(crate) fn given_checks(&self, call: Node<'_>) -> bool {
        arguments(call).into_iter().any(|n| self.has_checks(n))
    }

    pub(crate) fn of_test(&self, call: Node<'_>) -> Shape {
        let Some(function) = callback(call, self.names, &self.script.source) else {
            // Wrapped in something: `it('…', fakeAsync(() => { … }))`.
            return if self.given_checks(call) { Shape::Sound } else { Shape::NoAssertion };
        };
        let mut contexts = Vec::new();
        for pattern in parameters(function) {
            bound(pattern, &self.script.source, &mut contexts);
        }
        let Some(body) = function.child_by_field_name("body") else { return Shape::NoAssertion };
        let mut statements =
            if body.kind() == "statement_block" { syntax::children(body) } else { vec![body] };
        // What follows is never reached.
        let last = statements.iter().position(|n| n.kind() == "return_statement");
        statements.truncate(last.map_or(statements.len(), |at| at + 1));
        shape::of(&statements, &Body { shapes: self, contexts })
    }

    fn plain_skip(&self, call: Node<'_>, contexts: &[String]) -> Option<Plain> {
        if call.kind() != "call_expression" {
            return None;
        }
        let words = chain(call, &self.script.source);
        let given = |name: &str| name == "this" || contexts.iter().any(|c| c == name);
        let skips = match words.as_slice() {
            [root, "skip" | "todo"] => given(root),
            ["skip"] => given("skip"),
            ["pending"] => !self.names.functions.contains_key("pending"),
            _ => false,
        };
        // `skip(condition)` may go on.
        let always = arguments(call)
            .first()
            .is_none_or(|n| matches!(n.kind(), "string" | "template_string" | "true"));
        (skips && always).then_some(Plain::Skips)
    }

    fn judged(&self, node: Node<'_>, contexts: &[String]) -> Option<Plain> {
        let source = &self.script.source;
        if node.kind() == "call_expression" {
            let words = chain(node, source);
            if let [name] = words.as_slice()
                && self.is_written_here(name)
            {
                return None;
            }
            let with_error =
                || arguments(node).first().is_some_and(|n| n.kind() == "new_expression");
            let given = |name: &str| contexts.iter().any(|c| c == name);
            match words.as_slice() {
                ["Promise", "reject"] => return Some(Plain::Fails),
                // mocha's and jest's callback.
                ["done"] if given("done") && with_error() => return Some(Plain::Fails),
                [root, "fail"] if given(root) => return Some(Plain::Fails),
                words if fails(words) => return Some(Plain::Fails),
                _ => {}
            }
        }
        expectation::judged(node, source, self.names)
    }

    /// A function of the project's own files, whatever tool has one of the same name.
    fn is_written_here(&self, name: &str) -> bool {
        self.names.functions.contains_key(name)
            || self.names.only_import(name).is_some_and(|i| i.specifier.starts_with('.'))
    }

    /// Whether something in here could fail the test on purpose. Functions of the file, and of the test files that
    /// it imports, are followed.
    fn has_checks(&self, node: Node<'_>) -> bool {
        holds_own(node, "throw_statement") || self.has_assertions(node)
    }

    fn has_assertions(&self, node: Node<'_>) -> bool {
        let source = &self.script.source;
        syntax::nodes(node).any(|n| match n.kind() {
            "call_expression" => self.is_check(n),
            "member_expression" => {
                syntax::field(n, "property", source) == "should"
                    || (expectation::is_property_check(n, source, self.names)
                        && self.judged(n, &[]) != Some(Plain::Holds))
            }
            _ => false,
        })
    }

    fn is_check(&self, call: Node<'_>) -> bool {
        match self.judged(call, &[]) {
            Some(Plain::Holds) => return false,
            Some(Plain::Fails) => return true,
            Some(Plain::Skips) | None => {}
        }
        let source = &self.script.source;
        let passed = arguments(call).into_iter().filter(|n| n.kind() == "identifier");
        for name in passed.map(|n| syntax::text(n, source)) {
            // A stand-in that throws is no check, one that asserts is.
            if self.own_body(name).is_some_and(|(question, body)| {
                self.once(format!("given {question}"), || self.has_assertions(body))
            }) {
                return true;
            }
        }
        let words = chain(call, source);
        let direct = call
            .child_by_field_name("function")
            .is_some_and(|f| matches!(bare(f).kind(), "identifier" | "member_expression"));
        match words.as_slice() {
            [name] if direct => {
                if let Some(checks) = self.own_function_checks(name) {
                    return checks;
                }
                if let Some(import) = self.names.only_import(name)
                    && import.specifier.starts_with('.')
                {
                    return self.imported_checks(import, name);
                }
            }
            [root, name] if direct => {
                if let Some(import) = self.names.only_import(root)
                    && import.specifier.starts_with('.')
                {
                    let what = Imported::Named((*name).to_owned());
                    let import = Import { specifier: import.specifier.clone(), what };
                    return self.imported_checks(&import, name);
                }
            }
            _ => {}
        }
        expectation::is_check(call, source, self.names) || throws_when_absent(call, source)
    }

    /// Whether a function of this file checks something; nothing where there is none.
    fn own_function_checks(&self, name: &str) -> Option<bool> {
        let (question, body) = self.own_body(name)?;
        Some(self.once(question, || self.has_checks(body)))
    }

    fn own_body(&self, name: &str) -> Option<(String, Node<'_>)> {
        let body = self.names.functions.get(name)?.child_by_field_name("body")?;
        Some((format!("own {name}"), body))
    }

    /// Whether a function of another file checks something. Production code does not, whatever it is called.
    fn imported_checks(&self, import: &Import, local: &str) -> bool {
        self.once(format!("{import:?} {local}"), || self.read_import(import, local))
    }

    fn read_import(&self, import: &Import, local: &str) -> bool {
        let Some(path) = joined(parent(&self.script.path), &import.specifier) else { return false };
        let file = located(self.tree, &path);
        if zone(file.as_deref().unwrap_or(&path)) != Zone::Test || self.files == 0 {
            return false;
        }
        let Some(script) = file.and_then(|file| Script::read(self.tree, &file)) else {
            // It is there but was not given to us: its name is all there is.
            return starts_like_a_check(local);
        };
        let names = Names::of(script.root(), &script.source);
        let inside = Shapes::within(self.tree, &script, &names, self.files - 1);
        inside.export_checks(&import.what)
    }

    fn export_checks(&self, what: &Imported) -> bool {
        let name = match what {
            Imported::Named(name) => name.as_str(),
            Imported::Default => "default",
            Imported::Whole => return false,
        };
        if let Some(checks) = self.own_function_checks(name) {
            return checks;
        }
        if let Some(import) = self.names.only_import(name) {
            return self.imported_checks(&import.clone(), name);
        }
        let source = &self.script.source;
        syntax::children(self.script.root()).into_iter().any(|statement| {
            if statement.kind() != "export_statement" {
                return false;
            }
            if name == "default" {
                let exported = statement
                    .child_by_field_name("value")
                    .or_else(|| statement.child_by_field_name("declaration"));
                return syntax::text(statement, source).starts_with("export default")
                    && exported.is_some_and(|value| {
                        let named = syntax::text(bare(value), source);
                        self.own_function_checks(named)
                            .unwrap_or_else(|| self.has_checks_below(value))
                    });
            }
            // `export { name } from './other'`, `export * from './other'`
            let Some(from) = statement.child_by_field_name("source") else { return false };
            let clause = syntax::text(statement, source);
            let specifier = syntax::text(from, source).trim_matches(['"', '\'']).to_owned();
            (clause.contains('*') || clause.contains(name))
                && self.imported_checks(&Import { specifier, what: what.clone() }, name)
        })
    }

    fn has_checks_below(&self, value: Node<'_>) -> bool {
        let value = bare(value);
        self.has_checks(value.child_by_field_name("body").unwrap_or(value))
    }
}

/// The body of a test, with the names that it is given.
struct Body<'a> {
    shapes: &'a Shapes<'a>,
    contexts: Vec<String>,
}

impl Statements for Body<'_> {
    fn plain(&self, statement: Node<'_>) -> Option<Plain> {
        let inner = match statement.kind() {
            "throw_statement" => return Some(Plain::Fails),
            "expression_statement" | "return_statement" => bare(statement.named_child(0)?),
            _ => bare(statement),
        };
        let skips = self.shapes.plain_skip(inner, &self.contexts);
        skips.or_else(|| self.shapes.judged(inner, &self.contexts))
    }

    fn checks(&self, node: Node<'_>) -> bool {
        self.shapes.has_checks(node)
    }

    fn leaves(&self, statement: Node<'_>) -> bool {
        holds_own(statement, "return_statement")
    }
}

/// The function that a definition runs, where it stands in the call or is one of the file's.
pub(crate) fn callback<'t>(call: Node<'t>, names: &Names<'t>, source: &str) -> Option<Node<'t>> {
    arguments(call).into_iter().rev().map(bare).find_map(|n| {
        let own = names.functions.get(syntax::text(n, source)).copied();
        if is_function(n) { Some(n) } else { own.filter(|_| n.kind() == "identifier") }
    })
}

fn throws_when_absent(call: Node<'_>, source: &str) -> bool {
    let words = chain(call, source);
    let Some(name) = words.last() else { return false };
    let rest = ["getAll", "findAll", "get", "find"].iter().find_map(|p| name.strip_prefix(p));
    rest.is_some_and(|query| QUERIES.has(query))
}

#[cfg(test)]
#[path = "shape_tests.rs"]
mod tests;
