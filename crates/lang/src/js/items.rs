//! The tests in JavaScript and TypeScript sources, with the ids `file > suite > test`. A title that only a run would
//! tell ends its id with `…`. Which calls define tests is `definers`', what their bodies check is `shape`'s.

use super::definers::{Definer, Definers, Kind, Mark, Times};
use super::names::Names;
use super::script::{Script, arguments, bare, bound, is_function, parameters};
use super::shape::{Shapes, callback};
use super::titles::{Known, Scope, Title, Titles};
use crate::syntax;
use crate::tree::Tree;
use proctor_core::item::{Shape, TestItem};
use proctor_core::report::Place;
use proctor_core::words::TestId;
use std::collections::BTreeMap;
use tree_sitter::Node;

/// How deep functions that define tests are followed.
const CALLS: usize = 5;

/// The tests in these files.
pub fn items(tree: &dyn Tree, paths: &[String]) -> Vec<TestItem> {
    let mut found = Vec::new();
    for path in paths.iter().filter(|p| may_be_run(p)) {
        let Some(script) = Script::read(tree, path) else { continue };
        let names = Names::of(script.root(), &script.source);
        let mut file = File {
            script: &script,
            names: &names,
            shapes: Shapes::new(tree, &script, &names),
            found: Vec::new(),
        };
        let around = Around {
            prefix: path.clone(),
            known: Known::Whole,
            times: Times::Once,
            mark: Mark::Runs,
            contexts: Vec::new(),
            scope: Scope::new(),
            functions: Vec::new(),
            calls: Vec::new(),
        };
        file.inside(script.root(), &around);
        found.extend(numbered(file.found));
    }
    found
}

/// Stand-ins for modules and other people's code hold no tests of this project.
fn may_be_run(path: &str) -> bool {
    !path.split('/').any(|part| matches!(part, "node_modules" | "__mocks__" | "__snapshots__"))
}

/// A tool gives the same name twice where the source does: the second is told apart by a number. An id that ends in
/// `…` stands for all that begin like it anyway, and a number would end that.
fn numbered(mut items: Vec<TestItem>) -> Vec<TestItem> {
    let mut seen: BTreeMap<TestId, u32> = BTreeMap::new();
    for item in items.iter_mut().filter(|i| !i.id.as_str().ends_with('…')) {
        let count = seen.entry(item.id.clone()).or_default();
        *count += 1;
        if *count > 1 {
            item.id = TestId::new(format!("{} #{count}", item.id));
        }
    }
    items
}

/// Where in the file a statement stands.
#[derive(Clone)]
struct Around<'t> {
    /// The path and the titles of the suites around it, up to the first that is not known.
    prefix: String,
    known: Known,
    times: Times,
    mark: Mark,
    /// What the tests around it call their own contexts.
    contexts: Vec<String>,
    scope: Scope,
    /// The functions that led here, so that one that calls itself ends.
    functions: Vec<Node<'t>>,
    /// The calls of those functions: part of what the test is.
    calls: Vec<Node<'t>>,
}

impl Around<'_> {
    fn with_unknown(&self, patterns: &[Node<'_>], source: &str) -> Self {
        let mut names = Vec::new();
        for pattern in patterns {
            bound(*pattern, source, &mut names);
        }
        let mut around = self.clone();
        around.scope.extend(names.into_iter().map(|name| (name, Title::unknown())));
        around
    }

    fn repeated(&self) -> Self {
        Self { times: Times::Each, ..self.clone() }
    }

    /// The id of a test with this title.
    fn id(&self, title: &Title) -> TestId {
        if self.known == Known::Start {
            return TestId::new(format!("{}…", self.prefix));
        }
        let open = title.known == Known::Start || self.times == Times::Each;
        let end = if open { "…" } else { "" };
        TestId::new(format!("{} > {}{end}", self.prefix, title.text))
    }

    fn below(&self, title: &Title, definer: Definer) -> Self {
        let mut around = self.clone();
        if self.known == Known::Whole {
            around.prefix = format!("{} > {}", self.prefix, title.text);
            around.known = title.known;
        }
        if definer.times == Times::Each {
            around.times = Times::Each;
        }
        if definer.mark == Mark::Skipped {
            around.mark = Mark::Skipped;
        }
        around
    }
}

struct File<'t> {
    script: &'t Script,
    names: &'t Names<'t>,
    shapes: Shapes<'t>,
    found: Vec<TestItem>,
}

impl<'t> File<'t> {
    fn source(&self) -> &'t str {
        &self.script.source
    }

    /// Looks for definitions in everything below a node that runs when the file is loaded.
    fn inside(&mut self, node: Node<'t>, around: &Around<'t>) {
        for child in syntax::children(node) {
            self.statement(child, around);
        }
    }

    fn statement(&mut self, node: Node<'t>, around: &Around<'t>) {
        match node.kind() {
            "call_expression" => self.call(node, around),
            "for_in_statement" => {
                let left: Vec<Node<'t>> = node.child_by_field_name("left").into_iter().collect();
                self.inside(node, &around.with_unknown(&left, self.source()).repeated());
            }
            "for_statement" | "while_statement" | "do_statement" => {
                self.inside(node, &around.repeated());
            }
            "class_declaration" | "class" | "abstract_class_declaration" => {}
            // Runs only where it is called.
            _ if is_function(node) => {}
            _ => self.inside(node, around),
        }
    }

    fn call(&mut self, call: Node<'t>, around: &Around<'t>) {
        let definers = Definers { names: self.names, source: self.source() };
        if let Some(definer) = definers.of_call(call, &around.contexts) {
            self.definition(call, definer, around);
            return;
        }
        let function = call.child_by_field_name("function").map(bare);
        if let Some(function) = function {
            let name = syntax::text(function, self.source());
            let own = self.names.functions.get(name).copied();
            if let Some(own) = own.filter(|_| function.kind() == "identifier") {
                self.follow(own, call, &arguments(call), around);
            } else if is_function(function) {
                // `(() => { … })()`
                self.body(function, around);
            } else {
                self.statement(function, around);
            }
        }
        // `rows.forEach((row) => it(…))`: as often as the callee likes.
        for argument in arguments(call).into_iter().map(bare) {
            let own = self.names.functions.get(syntax::text(argument, self.source())).copied();
            if is_function(argument) {
                self.body(argument, &around.repeated());
            } else if let Some(own) = own.filter(|_| argument.kind() == "identifier") {
                self.follow(own, call, &[], &around.repeated());
            } else {
                self.statement(argument, around);
            }
        }
    }

    /// A function of the file that is called here; its parameters are the call's arguments.
    fn follow(
        &mut self,
        function: Node<'t>,
        call: Node<'t>,
        given: &[Node<'t>],
        around: &Around<'t>,
    ) {
        if around.functions.len() >= CALLS || around.functions.contains(&function) {
            return;
        }
        let titles = Titles { names: self.names, source: self.source() };
        let mut scope = Scope::new();
        for (at, pattern) in parameters(function).into_iter().enumerate() {
            let mut names = Vec::new();
            bound(pattern, self.source(), &mut names);
            let value = given.get(at).filter(|_| pattern.kind() == "identifier");
            let title = value.map_or_else(Title::unknown, |n| titles.of(*n, &around.scope));
            scope.extend(names.into_iter().map(|name| (name, title.clone())));
        }
        let mut inner = Around { scope, ..around.clone() };
        inner.functions.push(function);
        inner.calls.push(call);
        if let Some(body) = function.child_by_field_name("body") {
            self.run(body, &inner);
        }
    }

    fn body(&mut self, function: Node<'t>, around: &Around<'t>) {
        let around = around.with_unknown(&parameters(function), self.source());
        if let Some(body) = function.child_by_field_name("body") {
            self.run(body, &around);
        }
    }

    /// A block, or the one expression of an arrow function.
    fn run(&mut self, body: Node<'t>, around: &Around<'t>) {
        if body.kind() == "statement_block" {
            self.inside(body, around);
        } else {
            self.statement(bare(body), around);
        }
    }

    fn definition(&mut self, call: Node<'t>, definer: Definer, around: &Around<'t>) {
        let titles = Titles { names: self.names, source: self.source() };
        let Some(first) = arguments(call).first().copied() else { return };
        let title = titles.of(first, &around.scope);
        let title = if definer.times == Times::Each { title.of_row() } else { title };
        let mut inner = around.below(&title, definer);
        if definer.kind == Kind::Test {
            let own = Around { times: inner.times, mark: inner.mark, ..around.clone() };
            self.test(call, own.id(&title), &own);
        }
        let Some(function) = callback(call, self.names, self.source()) else { return };
        if definer.kind == Kind::Test {
            // Only node's tests hold others, and name them through their context.
            let context = parameters(function).into_iter().find(|n| n.kind() == "identifier");
            inner.contexts.extend(context.map(|n| syntax::text(n, self.source()).to_owned()));
            inner.functions.push(function);
            inner.calls.clear();
        }
        self.body(function, &inner);
    }

    fn test(&mut self, call: Node<'t>, id: TestId, around: &Around<'t>) {
        let shape = match around.mark {
            Mark::Skipped => Shape::Skipped,
            Mark::Runs => match self.shapes.of_test(call) {
                // The body may be what the function that defines it was given.
                Shape::NoAssertion if around.calls.iter().any(|c| self.shapes.given_checks(*c)) => {
                    Shape::Sound
                }
                shape => shape,
            },
        };
        let whole = around.calls.iter().chain([&call]);
        let whole: Vec<&str> = whole.map(|n| syntax::text(*n, self.source())).collect();
        self.found.push(TestItem {
            id,
            place: Place { file: self.script.path.clone(), line: Some(syntax::line(call)) },
            text: syntax::folded(&whole.join(" ")),
            shape,
        });
    }
}

#[cfg(test)]
#[path = "items_tests.rs"]
mod tests;
