//! Tests of pytest and unittest that observe. A copy is a function beside the others, so that fixtures, classes and
//! parameters stay as they are.

use super::places::Places;
use super::{Channel, Copy, Observer, Source, mark, put};
use proctor_lang::edit::Edit;
use proctor_lang::syntax::{children, field, nodes, nodes_into, text};
use proctor_lang::{Language, Role, TestModel};
use std::fmt::Write as _;
use std::ops::Range;
use tree_sitter::Node;

/// What the file brings along.
const CHANNEL: &str = include_str!("channel.py");

pub(super) struct Python;

impl Observer for Python {
    fn span(&self, source: &Source<'_>, line: u32) -> Option<Range<usize>> {
        let function = proctor_lang::test_at(Language::Python, source.root, source.text, line)?;
        let whole = whole(function);
        // From the beginning of its line: the copies stand below each other.
        let start = whole.start_byte() - whole.start_position().column;
        let before = source.text.get(start..whole.start_byte())?;
        before.trim().is_empty().then(|| start..whole.end_byte())
    }

    fn copy(&self, source: &Source<'_>, span: &Range<usize>, copy: Copy) -> Vec<Edit> {
        let Some(function) = source.functions(span).next() else { return Vec::new() };
        let Some(name) = function.child_by_field_name("name") else { return Vec::new() };
        let indent = " ".repeat(function.start_position().column);
        let (t, v) = (copy.sample, copy.number);
        let above = format!("@_ob_of({t}, {v})  # {}\n{indent}", mark(copy));
        let mut found = vec![
            put(function.start_byte(), function.start_byte(), above),
            put(name.end_byte(), name.end_byte(), copy.suffix()),
        ];
        let mut sites = Sites::of(source, format!("{t}, {v}"), 0);
        sites.below(function.child_by_field_name("body"));
        found.extend(sites.places.found);
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
        let mut sites = Sites { helps: true, ..Sites::of(source, "-1, 0".to_owned(), first) };
        let outer = |n: Node<'_>| !source.model.is(n, Role::Function);
        for function in nodes_into(source.root, outer).filter(|n| !outer(*n)) {
            sites.below(function.child_by_field_name("body"));
        }
        sites.places.found
    }
}

/// A function with its decorators.
fn whole(function: Node<'_>) -> Node<'_> {
    function.parent().filter(|p| p.kind() == "decorated_definition").unwrap_or(function)
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
    source: &'s str,
    model: &'s TestModel<'s>,
    places: Places,
    /// How deep the walk is.
    depth: u32,
    /// Whether it is no test, but a function that helps some.
    helps: bool,
}

impl<'s, 't> Sites<'s> {
    fn of(source: &'s Source<'_>, at: String, first: usize) -> Self {
        let places = Places::new(at, first);
        Self { source: source.text, model: &source.model, places, depth: 0, helps: false }
    }

    fn below(&mut self, node: Option<Node<'t>>) {
        for child in node.map(children).unwrap_or_default() {
            self.statement(child);
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
                let call = node.named_child(0).filter(|n| n.kind() == "call");
                if let Some(call) = call.filter(|n| self.model.is(*n, Role::Assertion)) {
                    self.check(call);
                }
            }
            "with_statement" => {
                let calls: Vec<_> = with_items(node).into_iter().filter_map(call_of).collect();
                for call in &calls {
                    self.context(*call);
                }
                let first = self.places.next;
                // What is meant to fail in there must.
                if !calls.iter().any(|call| self.model.is(*call, Role::Failing)) {
                    self.below(node.child_by_field_name("body"));
                }
                for call in calls {
                    self.part(call, first);
                }
            }
            "lambda" => {}
            // Somebody waits for what fails in there, and tries again perhaps.
            "block" if self.helps && is_tried(node) => {}
            // What nests without end is no test of anybody's.
            _ if self.depth > DEEPEST => {}
            _ => {
                self.depth += 1;
                self.below(Some(node));
                self.depth -= 1;
            }
        }
    }

    fn assert(&mut self, statement: Node<'t>, condition: Node<'t>) {
        let site = self.places.site();
        let mut inner = condition;
        while let Some(next) =
            (inner.kind() == "parenthesized_expression").then(|| inner.named_child(0)).flatten()
        {
            inner = next;
        }
        let (start, end) = (statement.start_byte(), statement.end_byte());
        let (late, close) = if is_delayed(inner, self.source) {
            ("lambda: ", "")
        } else {
            ("_ob_ft.partial(lambda _ob_x: _ob_x, ", ")")
        };
        if let Some((left, operator, right)) = comparison(inner, self.source) {
            let between = left.end_byte()..right.start_byte();
            self.places.replace(start..left.start_byte(), format!("_ob_cmp({site}, {late}("));
            self.places.replace(between, format!("){close}, {late}("));
            self.places.replace(right.end_byte()..end, format!("){close}, {operator:?})"));
            return;
        }
        let (value, wanted) = match inner.kind() {
            "not_operator" => (inner.child_by_field_name("argument").unwrap_or(inner), "False"),
            _ => (inner, "True"),
        };
        self.places.replace(start..value.start_byte(), format!("_ob_true({site}, {late}("));
        self.places.replace(value.end_byte()..end, format!("){close}, {wanted})"));
    }

    /// A call of something that is named as a check.
    fn check(&mut self, call: Node<'t>) {
        let parts = call.child_by_field_name("function").zip(call.child_by_field_name("arguments"));
        let Some((function, arguments)) = parts else { return };
        // What has to wait is worked out before.
        let how = if is_delayed(call, self.source) {
            ", lambda _ob_c: _ob_c"
        } else {
            ", (lambda *_ob_a, **_ob_k: lambda _ob_c: _ob_c(*_ob_a, **_ob_k))"
        };
        let site = self.places.site();
        self.places.put(call.start_byte(), format!("_ob_call({site}, lambda: "));
        self.places.replace(function.end_byte()..arguments.start_byte(), how);
        self.places.put(call.end_byte(), ")");
    }

    /// A part of a test that ends alone: what is not reached in it says why, so that the parts stay apart.
    fn part(&mut self, call: Node<'t>, first: usize) {
        let function = field(call, "function", self.source);
        if function.rsplit('.').next() == Some("subTest") && is_delayed(call, self.source) {
            let (at, next) = (&self.places.at, self.places.next);
            let begin = format!("_ob_part({at}, {first}, {next}, lambda: ");
            self.places.around(call, begin, ")");
        }
    }

    /// A call that expects something of what is done in its context.
    fn context(&mut self, call: Node<'t>) {
        if self.model.is(call, Role::Context) && is_delayed(call, self.source) {
            let site = self.places.site();
            self.places.around(call, format!("_ob_with({site}, lambda: "), ")");
        }
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
    !nodes(node).any(|n| match n.kind() {
        "await" | "yield" | "named_expression" => true,
        // `super()` looks for the method that it stands in.
        "call" => n.child(0).is_some_and(|f| text(f, source) == "super"),
        _ => false,
    })
}
