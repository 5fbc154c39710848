//! The literals by which production code decides: operands of equality, members that are asked for, cases and arms,
//! keys of tables.

use super::Decision;
use super::arms::works_with_more;
use super::construct::{Construct, construct};
use super::next::{elements, list_value, value};
use super::pattern;
use proctor_lang::Language;
use proctor_lang::literal::{self, is_small, is_trivial};
use proctor_lang::syntax;
use std::collections::{BTreeMap, BTreeSet};
use tree_sitter::Node;

/// Functions that ask whether a value is, begins with or is among others.
const ASKING: [&str; 22] = [
    "startswith",
    "endswith",
    "startsWith",
    "endsWith",
    "starts_with",
    "ends_with",
    "HasPrefix",
    "HasSuffix",
    "EqualFold",
    "equals",
    "equalsIgnoreCase",
    "includes",
    "contains",
    "Contains",
    "has",
    "eq",
    "Equal",
    "fullmatch",
    "is",
    "eq_ignore_ascii_case",
    "localeCompare",
    "strip_prefix",
];

/// What is decided on these lines, small numbers too; what the same constructs have on other lines belongs to them.
pub(super) fn decisions(
    language: Language,
    root: Node<'_>,
    source: &str,
    lines: &BTreeSet<u32>,
) -> Vec<Decision> {
    let named = found(language, root, source, lines);
    let every = (1..=last_line(root)).collect();
    let mut whole = found(language, root, source, &every);
    named
        .into_iter()
        .map(|(construct, named)| {
            let all = whole.remove(&construct).unwrap_or_default();
            Decision { all: all.union(&named).cloned().collect(), named }
        })
        .collect()
}

type Found = BTreeMap<Construct, BTreeSet<String>>;

fn found(language: Language, root: Node<'_>, source: &str, lines: &BTreeSet<u32>) -> Found {
    let mut reading = Reading { language, root, source, lines, found: Found::new() };
    let members = reading.asked_names(root);
    syntax::walk(root, &|_| true, &mut |n| {
        if lines.contains(&syntax::line(n)) || lines.contains(&last_line(n)) {
            reading.node(n, &members);
        }
    });
    reading.found
}

struct Reading<'t, 'a> {
    language: Language,
    root: Node<'t>,
    source: &'a str,
    lines: &'a BTreeSet<u32>,
    found: Found,
}

impl<'t, 'a> Reading<'t, 'a> {
    fn text(&self, node: Node<'_>) -> &'a str {
        syntax::text(node, self.source)
    }

    fn node(&mut self, node: Node<'t>, members: &BTreeSet<String>) {
        match node.kind() {
            "comparison_operator" | "binary_expression" => self.comparison(node),
            "case_pattern" | "match_pattern" | "switch_label" | "range_pattern" => {
                self.pattern(node);
            }
            "switch_case" | "expression_case" => {
                if let Some(value) = node.child_by_field_name("value") {
                    self.operand(value);
                }
            }
            "let_condition" => {
                if let Some(pattern) = node.child_by_field_name("pattern") {
                    self.pattern(pattern);
                }
            }
            "call" | "call_expression" | "method_invocation" => self.call(node),
            "regex_pattern" => self.pattern_of(node, self.text(node)),
            "macro_invocation" if syntax::field(node, "macro", self.source) == "matches" => {
                self.pattern(node);
            }
            "dictionary" | "object" | "composite_literal" | "list" | "tuple" | "array"
            | "array_expression" | "array_initializer" | "set" => self.table(node, members),
            _ => {}
        }
    }

    fn comparison(&mut self, node: Node<'t>) {
        let asks = if node.kind() == "binary_expression" {
            matches!(
                syntax::field(node, "operator", self.source),
                "==" | "!=" | "===" | "!==" | "in"
            )
        } else {
            let mut cursor = node.walk();
            node.children(&mut cursor).any(|n| {
                matches!(n.kind(), "==" | "!=" | "in" | "not in" | "is" | "is not" | "not")
            })
        };
        if asks {
            for side in syntax::children(node) {
                self.operand(side);
            }
        }
    }

    /// A literal, or a collection of them, whose line was asked for.
    fn operand(&mut self, node: Node<'t>) {
        match node.kind() {
            "parenthesized_expression"
            | "unary_operator"
            | "unary_expression"
            | "expression_list"
            | "reference_expression"
            | "literal_element" => {
                for inner in syntax::children(node) {
                    self.operand(inner);
                }
            }
            "call_expression" if self.language == Language::Rust => self.held(node),
            _ if literal::kind(node).is_some() => self.add(node),
            _ => {
                if let Some(inner) = elements(node) {
                    if self.is_asked(node)
                        && let Some(value) = list_value(node, self.source)
                    {
                        self.insert(node, value);
                    }
                    for inner in inner {
                        self.operand(inner);
                    }
                }
            }
        }
    }

    /// `Some(3)`, `"a".to_string()`.
    fn held(&mut self, call: Node<'t>) {
        let function = syntax::field(call, "function", self.source);
        if matches!(function, "Some" | "Ok" | "Err" | "String::from") {
            let given = call.child_by_field_name("arguments").map(syntax::children);
            for inner in given.unwrap_or_default() {
                self.operand(inner);
            }
        } else if let Some(value) = call
            .child_by_field_name("function")
            .filter(|f| {
                matches!(syntax::field(*f, "field", self.source), "to_string" | "to_owned" | "into")
            })
            .and_then(|f| f.child_by_field_name("value"))
        {
            self.operand(value);
        }
    }

    /// Every literal of a pattern, ranges left out.
    fn pattern(&mut self, node: Node<'t>) {
        let mut leaves = Vec::new();
        // A guard's comparisons are found by themselves.
        let guard = node.child_by_field_name("condition");
        syntax::walk(node, &|n| n.kind() != "range_pattern" && Some(n) != guard, &mut |n| {
            if literal::kind(n).is_some() {
                leaves.push(n);
            }
        });
        for leaf in leaves {
            self.add(leaf);
        }
    }

    fn call(&mut self, node: Node<'t>) {
        let function = node.child_by_field_name("function");
        let name = match function {
            Some(function) => self.text(function),
            None => syntax::field(node, "name", self.source),
        };
        let whole = name;
        let name = whole.rsplit(['.', ':']).next().unwrap_or_default();
        if self.language == Language::Python && whole.starts_with("re.") {
            let first =
                node.child_by_field_name("arguments").and_then(|given| given.named_child(0));
            if let Some((first, text)) = first.and_then(|n| Some((n, value(n, self.source)?))) {
                self.pattern_of(first, text.trim_matches('"'));
            }
        }
        if !ASKING.contains(&name) {
            return;
        }
        let given = node.child_by_field_name("arguments").map(syntax::children).unwrap_or_default();
        let receiver = ["object", "value", "operand"]
            .iter()
            .find_map(|field| function.unwrap_or(node).child_by_field_name(field));
        for operand in given.into_iter().chain(receiver) {
            self.operand(operand);
        }
    }

    /// A pattern that fits one text alone.
    fn pattern_of(&mut self, node: Node<'t>, pattern: &str) {
        if let Some(text) = pattern::plain(pattern).filter(|_| self.is_asked(node)) {
            self.insert(node, format!("\"{text}\""));
        }
    }

    /// Names of collections that are asked whether they hold something, or looked up in.
    fn asked_names(&self, root: Node<'_>) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        syntax::walk(root, &|_| true, &mut |n| {
            let asked = match n.kind() {
                "comparison_operator" => syntax::children(n).pop(),
                "binary_expression" => n
                    .child_by_field_name("right")
                    .filter(|_| syntax::field(n, "operator", self.source) == "in"),
                // A loop looks at each of its members.
                "subscript" | "for_expression" => n.child_by_field_name("value"),
                "subscript_expression" | "method_invocation" => n.child_by_field_name("object"),
                // Of Go by a name, of Rust by its place.
                "index_expression" => n.child_by_field_name("operand").or_else(|| n.named_child(0)),
                "range_clause" => n.child_by_field_name("right"),
                "call" | "call_expression" => n.child_by_field_name("function").and_then(|f| {
                    ["object", "value", "operand"]
                        .iter()
                        .find_map(|field| f.child_by_field_name(field))
                }),
                _ => None,
            };
            names.extend(asked.map(|n| self.text(n).trim_start_matches('&').to_owned()));
            // What a function gets it may search: `sort.SearchInts(keys, n)`.
            let typed = matches!(self.language, Language::Go | Language::Rust);
            if typed && matches!(n.kind(), "arguments" | "argument_list") {
                let given = syntax::children(n).into_iter().map(|n| self.text(n));
                let bare = given.map(|name| name.trim_start_matches('&').trim_end_matches("[:]"));
                names.extend(bare.map(str::to_owned));
            }
        });
        names
    }

    /// The keys of a table, the first cells of rows, the members of a collection that is asked.
    fn table(&mut self, node: Node<'t>, members: &BTreeSet<String>) {
        let whole = (syntax::line(node)..=last_line(node)).all(|line| self.lines.contains(&line));
        // A table within a table is a row of it.
        if !whole {
            return;
        }
        let name = bound_name(node, self.source);
        let looked_up = name.is_some_and(|name| members.contains(name))
            || node.parent().is_some_and(|p| {
                matches!(
                    p.kind(),
                    "subscript"
                        | "subscript_expression"
                        | "index_expression"
                        | "range_clause"
                        | "for_expression"
                        | "field_expression"
                )
            });
        let body = node.child_by_field_name("body").unwrap_or(node);
        for row in syntax::children(body) {
            match row.kind() {
                "pair" | "keyed_element" => {
                    let key = row.child_by_field_name("key").or_else(|| row.named_child(0));
                    let Some(key) = key else {
                        continue;
                    };
                    if key.kind() == "property_identifier" {
                        // Any object has such keys: only one that is looked up in is a table.
                        let value = format!("\"{}\"", self.text(key));
                        if looked_up && !is_trivial(&value) {
                            self.insert(key, value);
                        }
                    } else {
                        self.operand(key);
                    }
                }
                _ => {
                    let row = if row.kind() == "literal_element" {
                        row.named_child(0).unwrap_or(row)
                    } else {
                        row
                    };
                    match elements(row) {
                        None if row.kind() == "struct_expression" => self.fields(row),
                        Some(cells) if cells.len() > 1 => self.row(&cells),
                        None if looked_up || node.kind() == "set" => self.operand(row),
                        Some(_) | None => {}
                    }
                }
            }
        }
    }

    /// A row's key is its first cell; cells that have names may be in any order.
    fn row(&mut self, cells: &[Node<'t>]) {
        let named = |n: &&Node<'_>| n.kind() == "keyed_element";
        for cell in cells.iter().filter(named) {
            if let Some(value) = syntax::children(*cell).pop() {
                self.operand(value);
            }
        }
        if let Some(first) = cells.first().filter(|n| !named(n)) {
            self.operand(*first);
        }
    }

    /// Rust: a row of fields.
    fn fields(&mut self, row: Node<'t>) {
        let body = row.child_by_field_name("body").map(syntax::children).unwrap_or_default();
        for value in body.into_iter().filter_map(|n| n.child_by_field_name("value")) {
            self.operand(value);
        }
    }

    fn is_asked(&self, node: Node<'_>) -> bool {
        self.lines.contains(&syntax::line(node))
    }

    fn add(&mut self, node: Node<'t>) {
        if self.is_asked(node)
            && let Some(value) = value(node, self.source).filter(|v| !is_trivial(v) || is_small(v))
            && !works_with_more(node, &syntax::above(self.root, node), self.source)
        {
            self.insert(node, value);
        }
    }

    fn insert(&mut self, node: Node<'t>, value: String) {
        let construct = construct(node, &syntax::above(self.root, node), self.source);
        self.found.entry(construct).or_default().insert(value);
    }
}

fn last_line(node: Node<'_>) -> u32 {
    u32::try_from(node.end_position().row + 1).unwrap_or(u32::MAX)
}

/// The name that a collection is bound to.
fn bound_name<'s>(node: Node<'_>, source: &'s str) -> Option<&'s str> {
    let mut at = node.parent()?;
    // `new Set([…])`, `&[…]`, `frozenset({…})`
    for _ in 0..4 {
        match at.kind() {
            "assignment"
            | "let_declaration"
            | "variable_declarator"
            | "const_item"
            | "static_item"
            | "short_var_declaration"
            | "var_spec" => {
                let name =
                    ["name", "left", "pattern"].iter().find_map(|f| at.child_by_field_name(f))?;
                return Some(syntax::text(name, source).trim_start_matches("mut "));
            }
            _ => at = at.parent()?,
        }
    }
    None
}
