//! One test as far as its strength goes: its assertions with what stands around them, its cases, its marks. Finding
//! assertions is each language's own; following helpers, guards and loops is done here for all.

use super::around::{Guard, guard};
use super::force::{Claim, Force};
use super::loops::rows;
use super::own::Own;
use super::scope::Scope;
use super::tokens::{Token, core, tokens};
use super::{go, java, python, rust, script};
use proctor_lang::Language;
use proctor_lang::syntax;
use std::collections::{BTreeMap, BTreeSet};
use tree_sitter::{Node, Tree};

/// How deep helpers are followed.
const HELPERS: u8 = 3;

#[derive(Debug, Default)]
pub(super) struct Test {
    pub(super) checks: Vec<Check>,
    /// Skips, expected failures, focus: as they are written.
    pub(super) marks: BTreeSet<String>,
    /// The rows of its tables.
    pub(super) cases: Vec<Vec<Token>>,
    /// Whether it has a table whose rows can't be counted.
    pub(super) open_cases: bool,
    /// Upper ends of counting loops.
    pub(super) bounds: Vec<u64>,
    /// What is replaced by a stand-in.
    pub(super) patches: BTreeSet<String>,
    /// Calls by a checking name whose function is elsewhere.
    pub(super) elsewhere: BTreeSet<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Check {
    /// As it is written, in one line.
    pub(super) text: String,
    pub(super) claim: Claim,
    /// The same with its variables by their names.
    pub(super) plain: Claim,
    pub(super) echo: Echo,
    /// The tokens as written, to find it again.
    pub(super) raw: Vec<Token>,
    pub(super) guard: Guard,
    /// How often it is made, where it is in a loop or a table.
    pub(super) rows: Rows,
    pub(super) mock: Mock,
    /// Whether it is about something of the project's that has a name which every program has.
    pub(super) own: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rows {
    Known(usize),
    Open,
}

impl Rows {
    pub(super) fn times(self, other: Self) -> Self {
        match (self, other) {
            (Self::Known(a), Self::Known(b)) => Self::Known(a.saturating_mul(b)),
            (Self::Open, _) | (_, Self::Open) => Self::Open,
        }
    }

    pub(super) fn count(self) -> usize {
        match self {
            Self::Known(n) => n,
            Self::Open => usize::MAX,
        }
    }
}

/// Whether an assertion compares a thing with itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Echo {
    Itself,
    No,
}

/// Whether an assertion is about the calls of a stand-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mock {
    Calls,
    Real,
}

/// What a language finds at one node.
pub(super) enum Found {
    /// Assertions: nothing below is looked at.
    Claims(Vec<(Claim, Mock)>),
    /// A call of a function by this name with these arguments.
    Call(String, Vec<String>),
    Nothing,
}

/// A source with the functions that its tests may call.
pub(super) struct Source<'t> {
    pub(super) language: Language,
    pub(super) text: &'t str,
    pub(super) root: Node<'t>,
    pub(super) functions: BTreeMap<String, Node<'t>>,
    own: Own,
}

impl<'t> Source<'t> {
    pub(super) fn new(language: Language, text: &'t str, tree: &'t Tree) -> Self {
        let root = tree.root_node();
        let mut functions = BTreeMap::new();
        syntax::walk(root, &|_| true, &mut |node| {
            let function = match node.kind() {
                "function_definition"
                | "function_declaration"
                | "function_item"
                | "method_declaration"
                | "method_definition" => Some(node),
                "variable_declarator" => node
                    .child_by_field_name("value")
                    .filter(|v| matches!(v.kind(), "arrow_function" | "function_expression")),
                _ => None,
            };
            if let Some(function) = function {
                functions.insert(syntax::field(node, "name", text).to_owned(), function);
            }
        });
        Self { language, text, root, functions, own: Own::of(root, text) }
    }

    pub(super) fn str(&self, node: Node<'_>) -> &'t str {
        syntax::text(node, self.text)
    }

    pub(super) fn field(&self, node: Node<'_>, name: &str) -> &'t str {
        syntax::field(node, name, self.text)
    }

    /// The test that begins at a line: the node of its body, and the whole with its decorators.
    pub(super) fn test_at(&self, line: u32) -> Option<Whole<'t>> {
        match self.language {
            Language::Python => python::test_at(self, line),
            Language::Script(_) => script::test_at(self, line),
            Language::Rust => rust::test_at(self, line),
            Language::Go => go::test_at(self, line),
            Language::Java => java::test_at(self, line),
        }
    }

    fn found(&self, node: Node<'t>, scope: &Scope) -> Found {
        match self.language {
            Language::Python => python::found(self, node, scope),
            Language::Script(_) => script::found(self, node, scope),
            Language::Rust => rust::found(self, node, scope),
            Language::Go => go::found(self, node, scope),
            Language::Java => java::found(self, node, scope),
        }
    }

    pub(super) fn read(&self, whole: &Whole<'t>) -> Test {
        let mut test = Test::default();
        let mut scope = Scope::default();
        // What stands at the top of the file is known to every test.
        for node in syntax::children(self.root) {
            if !self.functions.values().any(|f| *f == node) && !is_container(node) {
                scope.read(self.language, node, self.text);
            }
        }
        scope.read(self.language, whole.body, self.text);
        let around =
            Outside { guard: Guard::None, rows: Rows::Known(1), text: None, depth: HELPERS };
        self.collect(whole.body, &scope, &around, &mut test);
        match self.language {
            Language::Python => python::finish(self, whole, &scope, &mut test),
            Language::Script(_) => script::finish(self, whole, &scope, &mut test),
            Language::Rust => rust::finish(self, whole, &mut test),
            Language::Go => go::finish(self, whole, &mut test),
            Language::Java => java::finish(self, whole, &mut test),
        }
        test
    }

    fn collect(&self, body: Node<'t>, scope: &Scope, outside: &Outside, test: &mut Test) {
        let mut below = vec![body];
        while let Some(node) = below.pop() {
            match self.found(node, scope) {
                Found::Claims(claims) => {
                    let mut plain = match self.found(node, &Scope::default()) {
                        Found::Claims(plain) => plain.into_iter(),
                        Found::Call(..) | Found::Nothing => Vec::new().into_iter(),
                    };
                    for (claim, mock) in claims {
                        let written = outside.text.clone();
                        let plain = plain.next().map_or_else(|| claim.clone(), |(claim, _)| claim);
                        let echo = self.echo(node, &claim, &plain, scope, outside);
                        let of_own = |claim: &Claim| self.own.has(self.language, claim);
                        let own = of_own(&claim) || of_own(&plain);
                        test.checks.push(Check {
                            text: written.unwrap_or_else(|| short(self.str(node))),
                            claim,
                            plain,
                            echo,
                            raw: tokens(self.str(node)),
                            guard: outside.guard.or(guard(self, node, body)),
                            rows: outside.rows.times(rows(self, node, body, scope)),
                            mock,
                            own,
                        });
                    }
                    // A check of Go may have another branch, one of Python a body.
                    below.extend(self.inside_check(node));
                }
                Found::Call(name, arguments) => {
                    match self.functions.get(&name).filter(|f| **f != body && outside.depth > 0) {
                        Some(helper) => {
                            self.follow(*helper, node, &arguments, scope, outside, (body, test));
                        }
                        None if names_a_check(&name) => {
                            test.elsewhere.insert(name);
                        }
                        None => {}
                    }
                    push_children(node, &mut below);
                }
                Found::Nothing => push_children(node, &mut below),
            }
        }
    }

    /// A thing is compared with itself where that is written so, or where a variable got it just before: one that got
    /// it earlier is how a test says that nothing changed.
    fn echo(
        &self,
        node: Node<'t>,
        claim: &Claim,
        plain: &Claim,
        scope: &Scope,
        outside: &Outside,
    ) -> Echo {
        let same = |(subject, force): &Claim| match force {
            Force::Equal { expected } => core(subject) == core(expected),
            _ => false,
        };
        let called = claim.0.iter().any(|t| t.is("("));
        let just_before = || {
            let statement = node.parent().filter(|p| p.kind() == "expression_statement");
            let before = statement.unwrap_or(node).prev_named_sibling();
            let bound = before.into_iter().chain(node.child_by_field_name("initializer"));
            bound.into_iter().any(|n| {
                let mut given = false;
                syntax::walk(n, &|_| true, &mut |n| {
                    for field in ["right", "value"] {
                        let text = self.field(n, field);
                        given |=
                            !text.is_empty() && scope.resolved(text, n.start_byte()) == claim.0;
                    }
                });
                given
            })
        };
        let echoes =
            same(plain) || (same(claim) && called && (outside.text.is_some() || just_before()));
        if echoes { Echo::Itself } else { Echo::No }
    }

    /// The assertions of a helper, as if they stood where it is called.
    fn follow(
        &self,
        helper: Node<'t>,
        site: Node<'t>,
        arguments: &[String],
        scope: &Scope,
        outside: &Outside,
        (body, test): (Node<'t>, &mut Test),
    ) {
        let Some(inner) = helper.child_by_field_name("body") else {
            return;
        };
        let names = parameters(helper, self.text);
        let mut own = Scope::default();
        for (name, value) in names.iter().filter(|n| *n != "self").zip(arguments) {
            own.bind(0, name, scope.resolved(value, site.start_byte()));
        }
        own.read(self.language, inner, self.text);
        let around = Outside {
            guard: outside.guard.or(guard(self, site, body)),
            rows: outside.rows.times(rows(self, site, body, scope)),
            text: Some(outside.text.clone().unwrap_or_else(|| short(self.str(site)))),
            depth: outside.depth - 1,
        };
        self.collect(inner, &own, &around, test);
    }

    fn inside_check(&self, node: Node<'t>) -> Vec<Node<'t>> {
        match self.language {
            Language::Go => node.child_by_field_name("alternative").into_iter().collect(),
            Language::Python if node.kind() == "with_statement" => {
                node.child_by_field_name("body").into_iter().collect()
            }
            Language::Python | Language::Script(_) | Language::Rust | Language::Java => Vec::new(),
        }
    }
}

/// What a helper's assertions inherit from the place where it is called.
struct Outside {
    guard: Guard,
    rows: Rows,
    text: Option<String>,
    depth: u8,
}

/// A test in its source.
pub(super) struct Whole<'t> {
    /// With decorators or attributes.
    pub(super) node: Node<'t>,
    pub(super) body: Node<'t>,
    /// The attributes of Rust, which stand beside the function.
    pub(super) marks: Vec<Node<'t>>,
}

fn is_container(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "class_definition"
            | "mod_item"
            | "impl_item"
            | "class_declaration"
            | "decorated_definition"
            | "function_item"
            | "function_definition"
            | "function_declaration"
            | "expression_statement"
    ) && node.kind() != "expression_statement"
        || (node.kind() == "expression_statement"
            && node.named_child(0).is_some_and(|n| n.kind() == "call_expression"))
}

/// In the order of the source.
fn push_children<'t>(node: Node<'t>, below: &mut Vec<Node<'t>>) {
    let mut children = syntax::children(node);
    children.reverse();
    below.extend(children);
}

fn parameters(function: Node<'_>, source: &str) -> Vec<String> {
    let Some(list) = function.child_by_field_name("parameters") else {
        let one = function.child_by_field_name("parameter");
        return one.map(|n| syntax::text(n, source).to_owned()).into_iter().collect();
    };
    let mut names = Vec::new();
    for parameter in syntax::children(list) {
        // Go: `a, b int` is one declaration.
        let mut cursor = parameter.walk();
        let declared: Vec<Node<'_>> =
            parameter.children_by_field_name("name", &mut cursor).collect();
        if declared.is_empty() {
            let pattern = parameter.child_by_field_name("pattern").unwrap_or(parameter);
            let words = tokens(syntax::text(pattern, source));
            names.extend(
                words
                    .into_iter()
                    .find(|t| !matches!(t.text.as_str(), "mut" | "&" | "*" | "..."))
                    .map(|t| t.text),
            );
        } else {
            names.extend(declared.into_iter().map(|n| syntax::text(n, source).to_owned()));
        }
    }
    names
}

fn names_a_check(name: &str) -> bool {
    let lower = name.to_lowercase();
    ["assert", "check", "verify", "expect", "ensure", "require"].iter().any(|w| lower.contains(w))
}

pub(super) fn short(text: &str) -> String {
    let folded = syntax::folded(text);
    if folded.chars().count() <= 120 {
        return folded;
    }
    let cut: String = folded.chars().take(119).collect();
    format!("{cut}…")
}

/// What is called in a text, and its arguments as text.
pub(super) fn call_of(source: &Source<'_>, node: Node<'_>) -> (String, Vec<String>) {
    let function = source.field(node, "function");
    let name = function.rsplit(['.', ':']).next().unwrap_or(function).to_owned();
    let list = node.child_by_field_name("arguments").map(syntax::children).unwrap_or_default();
    let arguments = list
        .into_iter()
        .filter(|n| !n.kind().contains("comment"))
        .map(|n| source.str(n).to_owned())
        .collect();
    (name, arguments)
}
