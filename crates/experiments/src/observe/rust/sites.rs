//! The assertions of one test, and what stands in their places in a copy of it. An assertion keeps the text of its
//! arguments, so that their literals can be varied.

use crate::observe::Source;
use crate::observe::places::Places;
use proctor_lang::Words;
use proctor_lang::syntax::{children, field, nodes, nodes_into, text};
use proctor_lang::{Role, TestModel};
use std::collections::BTreeSet;
use tree_sitter::{Node, Tree};

/// What stands before the arguments when they are read on their own.
const BEFORE: &str = "fn f() { f";

/// Questions that only look at what they are asked of.
const QUESTIONS: Words = Words(
    "contains contains_key ends_with eq_ignore_ascii_case is_empty is_err is_none is_ok \
    is_some is_nan is_match starts_with",
);

/// The places of a test's body, or of a function or a macro that helps tests.
pub(super) fn of(node: Node<'_>, source: &Source<'_>, places: Places) -> Places {
    let (text, model, helped) = (source.text, &source.model, &source.helped);
    let mut sites = Sites { source: text, model, helped, places };
    match node.kind() {
        "macro_definition" => sites.tokens(node),
        _ => sites.below(node),
    }
    sites.places
}

struct Sites<'s> {
    source: &'s str,
    model: &'s TestModel<'s>,
    /// What is named here tells itself what it sees.
    helped: &'s BTreeSet<String>,
    places: Places,
}

impl<'t> Sites<'_> {
    fn below(&mut self, node: Node<'t>) {
        for child in children(node) {
            self.read(child);
        }
    }

    fn read(&mut self, node: Node<'t>) {
        match node.kind() {
            // Worked out by the compiler, where nothing can be written.
            "const_item" | "static_item" | "const_block" | "mod_item" | "token_tree"
            // What a test's own types do may be meant to panic.
            | "impl_item" | "trait_item" => {}
            "function_item" if is_const(node, self.source) => {}
            // So may what is done in there.
            "call_expression" if field(node, "function", self.source).ends_with("catch_unwind") => {
            }
            "macro_invocation" => self.invocation(node),
            "call_expression" => {
                self.call(node);
                self.below(node);
            }
            _ => self.below(node),
        }
    }

    /// A statement that calls a function that is named as a check.
    fn call(&mut self, node: Node<'t>) {
        let function = field(node, "function", self.source);
        let name = function.rsplit(['.', ':']).next().unwrap_or(function);
        if self.model.is(node, Role::Assertion) && !self.helped.contains(name) {
            self.kept(node);
        }
    }

    /// The assertions in the rules of a macro, whose arguments are no expressions yet.
    fn tokens(&mut self, node: Node<'t>) {
        let mut cursor = node.walk();
        let all: Vec<Node<'t>> = node.children(&mut cursor).collect();
        for (n, child) in all.iter().enumerate() {
            let said = text(*child, self.source);
            let form = match said {
                "assert_eq" => Some(compared("eq", "==")),
                "assert_ne" => Some(compared("eq", "!=")),
                "assert" => Some("is;".to_owned()),
                _ => None,
            };
            let bang = all.get(n + 1).is_some_and(|next| text(*next, self.source) == "!");
            let tree = all.get(n + 2).filter(|tree| bang && tree.kind() == "token_tree");
            match (form, tree) {
                (Some(form), Some(tree)) => {
                    let given = Given::of(*tree, self.source);
                    self.opened(*child, given.inner, &given, &form);
                }
                _ => self.tokens(*child),
            }
        }
    }

    /// A check that is done as it is written; what it throws is what it saw.
    fn kept(&mut self, node: Node<'t>) {
        let alone = node.parent().is_some_and(|p| {
            p.kind() == "expression_statement" && text(p, self.source).ends_with(';')
        });
        if !alone || leaves(node, self.source) {
            return;
        }
        let open = format!("__ob::call({}, || {{ ", self.places.site());
        self.places.around(node, open, "; })");
    }

    fn invocation(&mut self, node: Node<'t>) {
        let tree = children(node).into_iter().find(|c| c.kind() == "token_tree");
        let Some(tree) = tree else { return };
        let path = field(node, "macro", self.source);
        let last = path.rsplit("::").next().unwrap_or(path).trim();
        let name = last.strip_prefix("debug_").unwrap_or(last);
        if !self.model.is(node, Role::Assertion) || self.helped.contains(last) {
            return;
        }
        let given = Given::of(tree, self.source);
        let snapshot = name.ends_with("_snapshot");
        let form = match name {
            "assert_eq" => Some(compared("eq", "==")),
            "assert_ne" => Some(compared("eq", "!=")),
            "assert_lt" => Some(compared("cmp", "<")),
            "assert_le" => Some(compared("cmp", "<=")),
            "assert_gt" => Some(compared("cmp", ">")),
            "assert_ge" => Some(compared("cmp", ">=")),
            "assert_matches" if !text(tree, self.source).contains("=>") => {
                Some(format!("like {};", sort(text(tree, self.source))))
            }
            _ if snapshot => Some("snap;".to_owned()),
            _ => None,
        };
        if name == "assert" {
            return self.assert(node, &given);
        }
        match form {
            Some(form) => self.opened(node, given.inner, &given, &form),
            None => self.kept(node),
        }
    }

    /// What stands before the arguments becomes ours.
    fn opened(&mut self, node: Node<'t>, to: usize, given: &Given, form: &str) {
        let way = if given.leaves() { 'p' } else { 'c' };
        let bracket = self.source.get(given.outer..given.inner).unwrap_or("(");
        let site = self.places.site().replace(", ", " ");
        self.places.replace(node.start_byte()..to, format!("__ob!{bracket}{way} {site} {form} "));
    }

    fn assert(&mut self, node: Node<'t>, given: &Given) {
        let Some(condition) = given.first() else {
            return self.opened(node, given.inner, given, "is;");
        };
        let (asked, wanted) = match condition.kind() {
            "unary_expression" if given.text(condition).starts_with('!') => {
                (condition.named_child(0).unwrap_or(condition), false)
            }
            _ => (condition, true),
        };
        if let Some((left, operator, right)) = given.comparison(condition) {
            let form = compared("cmp", operator);
            self.opened(node, given.place(left.start_byte()), given, &form);
            let between = given.place(left.end_byte())..given.place(right.start_byte());
            self.places.replace(between, ", ");
        } else if let Some(tokens) = given.matched(asked) {
            let form = format!("{} {wanted};", sort(given.text(tokens)));
            self.opened(node, given.place(tokens.start_byte()), given, &form);
        } else if let Some((of, question)) = given.question(asked) {
            let of_end = given.place(of.end_byte());
            // A question may change what it is asked of: `args.contains("-v")` takes it away.
            if is_place(of) {
                let form = format!("at; {};", given.text(of));
                self.opened(node, given.inner, given, &form);
            } else if QUESTIONS.has(question) {
                self.opened(node, given.place(of.start_byte()), given, &format!("on {wanted};"));
                self.places.put(of_end, "; ");
            } else {
                self.opened(node, given.inner, given, "is;");
            }
        } else {
            self.opened(node, given.inner, given, "is;");
        }
    }
}

/// How two values are compared: written here and not in the macro, so that what does not fit is told of this line.
fn compared(sort: &str, operator: &str) -> String {
    let kind = if operator == "==" { "eq" } else { "other" };
    format!("{sort} \"{kind}\" ob_l ob_r *ob_l {operator} *ob_r;")
}

/// The arguments of a macro, read as those of a call.
struct Given {
    /// Where they begin in the source, with their bracket and without.
    outer: usize,
    inner: usize,
    /// The text that the tree is of.
    read: String,
    tree: Option<Tree>,
}

impl Given {
    fn of(tokens: Node<'_>, source: &str) -> Self {
        let said = text(tokens, source);
        let args = said.get(1..said.len().saturating_sub(1)).unwrap_or_default();
        let read = format!("{BEFORE}({args}); }}");
        let tree = proctor_lang::Language::Rust.parse(&read);
        let outer = tokens.start_byte();
        Self { outer, inner: outer + 1, read, tree }
    }

    /// Where something of what was read stands in the source.
    fn place(&self, at: usize) -> usize {
        at + self.outer - BEFORE.len()
    }

    fn text(&self, node: Node<'_>) -> &str {
        text(node, &self.read)
    }

    fn arguments(&self) -> Option<Node<'_>> {
        nodes(self.tree.as_ref()?.root_node()).find(|n| n.kind() == "arguments")
    }

    /// The first argument, where it can be read.
    fn first(&self) -> Option<Node<'_>> {
        let arguments = children(self.arguments()?);
        let first = arguments.into_iter().find(|n| !n.kind().contains("comment"))?;
        (!first.has_error() && !first.is_error()).then_some(first)
    }

    fn leaves(&self) -> bool {
        match self.arguments() {
            Some(arguments) => leaves(arguments, &self.read),
            None => has_exit(&self.read),
        }
    }

    fn comparison<'a>(&'a self, node: Node<'a>) -> Option<(Node<'a>, &'a str, Node<'a>)> {
        let [left, operator, right] =
            ["left", "operator", "right"].map(|f| node.child_by_field_name(f));
        let operator = operator.map(|o| self.text(o))?;
        let known = ["==", "!=", "<", "<=", ">", ">="].contains(&operator);
        known.then_some((left?, operator, right?))
    }

    /// The tokens of `matches!(…)`.
    fn matched<'a>(&'a self, node: Node<'a>) -> Option<Node<'a>> {
        if node.kind() != "macro_invocation"
            || !field(node, "macro", &self.read).ends_with("matches")
        {
            return None;
        }
        let tokens = children(node).into_iter().find(|c| c.kind() == "token_tree")?;
        self.text(tokens).starts_with('(').then_some(tokens)
    }

    /// What a method is called on, and the method.
    fn question<'a>(&'a self, node: Node<'a>) -> Option<(Node<'a>, &'a str)> {
        let function = node.child_by_field_name("function")?;
        let of = function
            .child_by_field_name("value")
            .filter(|_| function.kind() == "field_expression")?;
        Some((of, field(function, "field", &self.read)))
    }
}

/// Whether an expression is a name or a field of one: looking at it does nothing.
fn is_place(node: Node<'_>) -> bool {
    match node.kind() {
        "identifier" | "scoped_identifier" | "self" => true,
        "field_expression" => node.child_by_field_name("value").is_some_and(is_place),
        _ => false,
    }
}

pub(super) fn is_const(function: Node<'_>, source: &str) -> bool {
    let modifiers = children(function).into_iter().find(|n| n.kind() == "function_modifiers");
    modifiers.is_some_and(|m| text(m, source).contains("const"))
}

/// Whether something in an expression ends or stops what is around it, so that it can't be put into a function.
fn leaves(node: Node<'_>, source: &str) -> bool {
    let exits = Words(
        "await_expression try_expression return_expression break_expression continue_expression",
    );
    let apart = Words("closure_expression async_block function_item");
    nodes_into(node, |n| !apart.has(n.kind())).any(|n| {
        let unread = matches!(n.kind(), "token_tree" | "ERROR");
        exits.has(n.kind()) || unread && has_exit(text(n, source))
    })
}

fn has_exit(said: &str) -> bool {
    ["?", ".await", "return", "break", "continue"].iter().any(|exit| said.contains(exit))
}

/// Whether what stands before the first comma is a place, which can be looked at twice, or a value, which can't.
fn sort(tokens: &str) -> &'static str {
    let first = tokens.trim_start_matches('(').split(',').next().unwrap_or_default();
    let fits = |c: char| c.is_alphanumeric() || c.is_whitespace() || "_.:[]*".contains(c);
    if first.chars().all(fits) && !first.contains(".await") { "place" } else { "value" }
}
