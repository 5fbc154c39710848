//! Tests of pytest and unittest that observe. A copy is a function beside the others, so that fixtures, classes and
//! parameters stay as they are.

use super::{Channel, Copy, Observer, Source, mark, put};
use proctor_lang::Words;
use proctor_lang::edit::Edit;
use proctor_lang::syntax::{children, field, text, walk};
use std::fmt::Write as _;
use std::ops::Range;
use tree_sitter::Node;

/// What the file brings along.
const CHANNEL: &str = include_str!("channel.py");

/// What a check's name begins with, whoever defines it.
const CHECK: &str = "assert";

/// Contexts that expect something of what is done in them.
const CONTEXTS: Words = Words(
    "raises warns deprecated_call assertRaises assertRaisesRegex assertWarns \
    assertWarnsRegex assertLogs assertNoLogs RaisesGroup",
);

/// Those of them in which something must fail.
const FAILING: Words = Words("raises assertRaises assertRaisesRegex RaisesGroup");

pub(super) struct Python;

impl Observer for Python {
    fn span(&self, source: &Source<'_>, line: u32) -> Option<Range<usize>> {
        let function =
            proctor_lang::test_at(proctor_lang::Language::Python, source.root, source.text, line)?;
        let whole = whole(function);
        // From the beginning of its line: the copies stand below each other.
        let start = whole.start_byte() - whole.start_position().column;
        let before = source.text.get(start..whole.start_byte())?;
        before.trim().is_empty().then(|| start..whole.end_byte())
    }

    fn copy(&self, source: &Source<'_>, span: &Range<usize>, copy: Copy) -> Vec<Edit> {
        let Some(function) = function_in(source.root, span) else { return Vec::new() };
        let Some(name) = function.child_by_field_name("name") else { return Vec::new() };
        let indent = " ".repeat(function.start_position().column);
        let (t, v) = (copy.sample, copy.number);
        let above = format!("@_ob_of({t}, {v})  # {}\n{indent}", mark(copy));
        let mut found = vec![
            put(function.start_byte(), function.start_byte(), above),
            put(name.end_byte(), name.end_byte(), copy.suffix()),
        ];
        let mut sites = Sites::of(source.text, format!("{t}, {v}"), 0);
        if let Some(body) = function.child_by_field_name("body") {
            sites.block(body);
        }
        found.extend(sites.found);
        found
    }

    fn around(&self, source: &Source<'_>, channel: &Channel) -> Vec<Edit> {
        let prelude = CHANNEL.replace("@CHANNEL@", &channel.0);
        let at = beginning(source.root, source.text);
        let mut found = vec![put(at, at, format!("{prelude}\n"))];
        for statement in children(source.root) {
            found.extend(guarded(statement, source.text));
        }
        found
    }

    fn helping(&self, source: &Source<'_>, first: usize) -> Vec<Edit> {
        let mut sites = Sites { helps: true, ..Sites::of(source.text, "-1, 0".to_owned(), first) };
        let outer = |n: Node<'_>| n.kind() != "function_definition";
        walk(source.root, &outer, &mut |n| {
            let body = n.child_by_field_name("body").filter(|_| !outer(n));
            if let Some(body) = body {
                sites.block(body);
            }
        });
        sites.found
    }
}

/// A function with its decorators.
fn whole(function: Node<'_>) -> Node<'_> {
    function.parent().filter(|p| p.kind() == "decorated_definition").unwrap_or(function)
}

fn function_in<'t>(root: Node<'t>, span: &Range<usize>) -> Option<Node<'t>> {
    let mut found = None;
    let within = |n: Node<'_>| n.start_byte() < span.end && n.end_byte() > span.start;
    walk(root, &within, &mut |n| {
        let inside = n.start_byte() >= span.start && n.end_byte() <= span.end;
        if n.kind() == "function_definition" && inside && found.is_none() {
            found = Some(n);
        }
    });
    found
}

/// Behind the file's own words and what must stand first.
fn beginning(root: Node<'_>, source: &str) -> usize {
    let first = |n: &Node<'_>| match n.kind() {
        "comment" | "future_import_statement" => true,
        "expression_statement" => n.named_child(0).is_some_and(|s| s.kind() == "string"),
        _ => false,
    };
    let last =
        children(root).into_iter().take_while(first).filter(|n| n.kind() != "comment").last();
    let at = last.map_or(0, |n| n.end_byte());
    if at == 0 {
        return 0;
    }
    source.get(at..).and_then(|rest| rest.find('\n')).map_or(source.len(), |n| at + n + 1)
}

/// What a file imports may be missing on the base: then only what uses it breaks.
fn guarded(statement: Node<'_>, source: &str) -> Vec<Edit> {
    if !matches!(statement.kind(), "import_statement" | "import_from_statement") {
        return Vec::new();
    }
    let from = (statement.kind() == "import_from_statement")
        .then(|| field(statement, "module_name", source));
    let mut cursor = statement.walk();
    let names: Vec<Node<'_>> = statement.children_by_field_name("name", &mut cursor).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let mut lines = String::new();
    for name in names {
        let said = text(name, source);
        let bound = match name.kind() {
            "aliased_import" => field(name, "alias", source),
            _ if from.is_some() => said,
            _ => said.split('.').next().unwrap_or(said),
        };
        let import = match from {
            Some(from) => format!("from {from} import {said}"),
            None => format!("import {said}"),
        };
        let _ = write!(
            lines,
            "try:\n    {import}\nexcept (ImportError, AttributeError) as _ob_e:\n    {bound} = _ob_none({bound:?}, _ob_e)\n"
        );
    }
    vec![put(statement.start_byte(), statement.end_byte(), lines)]
}

/// How deep statements are looked into.
const DEEPEST: u32 = 200;

/// The assertions of one test.
struct Sites<'s> {
    /// How deep the walk is.
    depth: u32,
    source: &'s str,
    at: String,
    next: usize,
    /// Whether it is no test, but a function that helps some.
    helps: bool,
    found: Vec<Edit>,
}

impl<'s, 't> Sites<'s> {
    fn of(source: &'s str, at: String, next: usize) -> Self {
        Self { depth: 0, source, at, next, helps: false, found: Vec::new() }
    }

    fn block(&mut self, block: Node<'t>) {
        for statement in children(block) {
            self.statement(statement);
        }
    }

    fn statement(&mut self, node: Node<'t>) {
        match node.kind() {
            "assert_statement" => {
                if let Some(condition) = node.named_child(0) {
                    self.assert(node, condition);
                }
            }
            "expression_statement" => {
                if let Some(call) = node.named_child(0).filter(|n| n.kind() == "call") {
                    self.check(call);
                }
            }
            "with_statement" => {
                let mut fails = false;
                for item in with_items(node) {
                    fails |= self.context(item).is_some_and(|name| FAILING.has(name));
                }
                let first = self.next;
                // What is meant to fail in there must.
                if let Some(body) = node.child_by_field_name("body").filter(|_| !fails) {
                    self.block(body);
                }
                for item in with_items(node) {
                    self.part(item, first);
                }
            }
            "lambda" => {}
            // Somebody waits for what fails in there, and tries again perhaps.
            "block" if self.helps && is_tried(node) => {}
            // What nests without end is no test of anybody's.
            _ if self.depth > DEEPEST => {}
            _ => {
                self.depth += 1;
                for child in children(node) {
                    self.statement(child);
                }
                self.depth -= 1;
            }
        }
    }

    fn site(&mut self) -> String {
        let site = format!("{}, {}", self.at, self.next);
        self.next += 1;
        site
    }

    fn assert(&mut self, statement: Node<'t>, condition: Node<'t>) {
        let site = self.site();
        let mut inner = condition;
        while let Some(next) =
            (inner.kind() == "parenthesized_expression").then(|| inner.named_child(0)).flatten()
        {
            inner = next;
        }
        let (start, end) = (statement.start_byte(), statement.end_byte());
        let late = if is_delayed(inner, self.source) {
            "lambda: "
        } else {
            "_ob_ft.partial(lambda _ob_x: _ob_x, "
        };
        let close = if is_delayed(inner, self.source) { "" } else { ")" };
        if let Some((left, operator, right)) = comparison(inner, self.source) {
            self.found.push(put(start, left.start_byte(), format!("_ob_cmp({site}, {late}(")));
            self.found.push(put(left.end_byte(), right.start_byte(), format!("){close}, {late}(")));
            self.found.push(put(right.end_byte(), end, format!("){close}, {operator:?})")));
            return;
        }
        let (value, wanted) = match inner.kind() {
            "not_operator" => (inner.child_by_field_name("argument").unwrap_or(inner), "False"),
            _ => (inner, "True"),
        };
        self.found.push(put(start, value.start_byte(), format!("_ob_true({site}, {late}(")));
        self.found.push(put(value.end_byte(), end, format!("){close}, {wanted})")));
    }

    /// A call of something that is named as a check.
    fn check(&mut self, call: Node<'t>) {
        let parts = call.child_by_field_name("function").zip(call.child_by_field_name("arguments"));
        let Some((function, arguments)) = parts else { return };
        let name = last_name(function, self.source);
        let is_check = name.to_lowercase().trim_start_matches('_').starts_with(CHECK);
        if !is_check || arguments.kind() != "argument_list" {
            return;
        }
        // What has to wait is worked out before.
        let how = if is_delayed(call, self.source) {
            ", lambda _ob_c: _ob_c"
        } else {
            ", (lambda *_ob_a, **_ob_k: lambda _ob_c: _ob_c(*_ob_a, **_ob_k))"
        };
        let site = self.site();
        self.found.push(put(
            call.start_byte(),
            call.start_byte(),
            format!("_ob_call({site}, lambda: "),
        ));
        self.found.push(put(function.end_byte(), arguments.start_byte(), how));
        self.found.push(put(call.end_byte(), call.end_byte(), ")"));
    }

    /// A part of a test that ends alone: what is not reached in it says why, so that the parts stay apart.
    fn part(&mut self, item: Node<'t>, first: usize) {
        let call = call_of(item);
        let function = call.and_then(|call| call.child_by_field_name("function"));
        let is_part = function.is_some_and(|f| last_name(f, self.source) == "subTest");
        let Some(call) = call.filter(|call| is_part && is_delayed(*call, self.source)) else {
            return;
        };
        let begin = format!("_ob_part({}, {first}, {}, lambda: ", self.at, self.next);
        self.found.push(put(call.start_byte(), call.start_byte(), begin));
        self.found.push(put(call.end_byte(), call.end_byte(), ")"));
    }

    /// The name of what expects something, where it is one.
    fn context(&mut self, item: Node<'t>) -> Option<&'s str> {
        let call = call_of(item)?;
        let function = call.child_by_field_name("function")?;
        let name = last_name(function, self.source);
        if CONTEXTS.has(name) && is_delayed(call, self.source) {
            let site = self.site();
            self.found.push(put(
                call.start_byte(),
                call.start_byte(),
                format!("_ob_with({site}, lambda: "),
            ));
            self.found.push(put(call.end_byte(), call.end_byte(), ")"));
        }
        Some(name)
    }
}

fn call_of(item: Node<'_>) -> Option<Node<'_>> {
    let value = item.child_by_field_name("value").unwrap_or(item);
    let call = match value.kind() {
        "as_pattern" => value.named_child(0).unwrap_or(value),
        _ => value,
    };
    (call.kind() == "call").then_some(call)
}

fn with_items(node: Node<'_>) -> Vec<Node<'_>> {
    let clauses = children(node).into_iter().filter(|n| n.kind() == "with_clause");
    clauses.flat_map(children).filter(|n| n.kind() == "with_item").collect()
}

fn last_name<'s>(function: Node<'_>, source: &'s str) -> &'s str {
    match function.kind() {
        "attribute" => field(function, "attribute", source),
        _ => text(function, source),
    }
}

/// Both sides of a comparison of two values.
fn comparison<'t>(node: Node<'t>, source: &str) -> Option<(Node<'t>, String, Node<'t>)> {
    if node.kind() != "comparison_operator" || node.named_child_count() != 2 {
        return None;
    }
    let (left, right) = (node.named_child(0)?, node.named_child(1)?);
    let between = source.get(left.end_byte()..right.start_byte())?;
    let known = ["==", "!=", "<=", ">=", "<", ">", "is not", "is", "not in", "in"];
    let said = between.split_whitespace().collect::<Vec<_>>().join(" ");
    let operator = known.into_iter().find(|op| said == *op)?;
    Some((left, operator.to_owned(), right))
}

/// Whether a block is what a `try` with a handler tries.
fn is_tried(block: Node<'_>) -> bool {
    let outer = block.parent().filter(|n| n.kind() == "try_statement");
    let is_body = outer.and_then(|n| n.child_by_field_name("body")) == Some(block);
    let handler = |n: &Node<'_>| n.kind().starts_with("except");
    is_body && outer.is_some_and(|n| children(n).iter().any(handler))
}

/// Whether an expression can be worked out inside a function of its own.
fn is_delayed(node: Node<'_>, source: &str) -> bool {
    let mut fits = true;
    walk(node, &|_| true, &mut |n| {
        fits &= !matches!(n.kind(), "await" | "yield" | "named_expression");
        // `super()` looks for the method that it stands in.
        fits &= n.kind() != "call" || n.child(0).is_none_or(|f| text(f, source) != "super");
    });
    fits
}
