//! The inputs of one test: the literals that reach a call which is no assertion, straight, through a name, or through
//! a row of a table.

use super::Neighbour;
use super::next::{Which, beside, elements, list_value, value};
use super::rows;
use proctor_lang::Language;
use proctor_lang::edit::Edit;
use proctor_lang::literal::{self, is_small, is_trivial};
use proctor_lang::syntax;
use std::collections::BTreeSet;
use std::ops::Range;
use tree_sitter::Node;

/// Where a literal goes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Way {
    /// Into a call of the code.
    Called,
    /// Into a name.
    Named(String),
    /// Elsewhere: compared, said, or of no use.
    Elsewhere,
}

pub(super) struct Inputs<'t, 's> {
    language: Language,
    source: &'s str,
    test: Node<'t>,
    /// What the tests ask already.
    taken: BTreeSet<String>,
    found: Vec<Neighbour>,
}

impl<'t, 's> Inputs<'t, 's> {
    pub(super) fn new(language: Language, source: &'s str, test: Node<'t>) -> Self {
        let taken = taken(language, source, test);
        Self { language, source, test, taken, found: Vec::new() }
    }

    pub(super) fn read(&mut self) {
        let mut nodes = Vec::new();
        // The titles and tables of a test that is a call are no part of its body.
        let body = self.body();
        syntax::walk(body, &|n| literal::kind(n).is_none(), &mut |n| nodes.push(n));
        for node in nodes {
            if self.is_input(node) {
                self.add(node);
            }
        }
        for node in
            rows::cells(self.language, self.source, self.test, &|name| self.is_passed_on(name))
        {
            syntax::walk(node, &|n| literal::kind(n).is_none(), &mut |n| self.add(n));
        }
    }

    pub(super) fn done(mut self) -> Vec<Neighbour> {
        self.found.sort_by_key(|n| (n.edit.from, n.edit.to));
        self.found.dedup();
        self.found
    }

    fn text(&self, node: Node<'_>) -> &'s str {
        syntax::text(node, self.source)
    }

    fn body(&self) -> Node<'t> {
        match self.language {
            Language::Script(_) => {
                let given = self.test.child_by_field_name("arguments").map(syntax::children);
                given.unwrap_or_default().pop().unwrap_or(self.test)
            }
            Language::Python | Language::Rust | Language::Go | Language::Java => {
                self.test.child_by_field_name("body").unwrap_or(self.test)
            }
        }
    }

    fn is_input(&self, node: Node<'t>) -> bool {
        if literal::kind(node).is_none() && elements(node).is_none() {
            return false;
        }
        match self.way(node) {
            Way::Called => true,
            Way::Named(name) => self.is_passed_on(&name),
            Way::Elsewhere => false,
        }
    }

    /// Climbs from a value through what only holds it.
    fn way(&self, node: Node<'t>) -> Way {
        let mut at = node;
        while let Some(parent) = at.parent().filter(|_| at != self.test) {
            let field = field_of(parent, at);
            match parent.kind() {
                "call"
                | "call_expression"
                | "new_expression"
                | "method_invocation"
                | "object_creation_expression" => {
                    let callee = self.callee(parent);
                    let receiver = matches!(field, Some("function" | "object"));
                    if self.only_holds(&callee, receiver) {
                        at = parent;
                        continue;
                    }
                    return if self.is_tool(&callee) { Way::Elsewhere } else { Way::Called };
                }
                "assignment"
                | "let_declaration"
                | "variable_declarator"
                | "short_var_declaration"
                | "var_spec"
                | "const_spec"
                | "const_item"
                | "static_item"
                | "assignment_expression" => {
                    return if matches!(field, Some("right" | "value")) {
                        Way::Named(self.name_of(parent, at, node))
                    } else {
                        Way::Elsewhere
                    };
                }
                "subscript"
                | "subscript_expression"
                | "index_expression"
                | "comparison_operator"
                | "assert_statement"
                | "expression_statement"
                | "return_statement"
                | "for_statement"
                | "if_statement"
                | "block" => return Way::Elsewhere,
                // A row of a table is looked at as such.
                "binary_expression" | "binary_operator" if self.compares(parent) => {
                    return Way::Elsewhere;
                }
                _ => at = parent,
            }
        }
        Way::Elsewhere
    }

    fn compares(&self, node: Node<'_>) -> bool {
        let operator = syntax::field(node, "operator", self.source);
        matches!(operator, "==" | "!=" | "===" | "!==" | "<" | ">" | "<=" | ">=" | "&&" | "||")
    }

    /// The name that gets this value; of several names the one in the value's place.
    fn name_of(&self, binding: Node<'t>, right: Node<'t>, value: Node<'t>) -> String {
        let names = ["name", "left", "pattern"].iter().find_map(|f| binding.child_by_field_name(f));
        let Some(names) = names else {
            return String::new();
        };
        let several = matches!(names.kind(), "expression_list" | "pattern_list" | "tuple_pattern");
        let holds =
            |n: &Node<'_>| n.start_byte() <= value.start_byte() && value.end_byte() <= n.end_byte();
        let at = syntax::children(right).iter().position(holds).filter(|_| several);
        let one = at.and_then(|at| syntax::children(names).get(at).copied());
        self.text(one.unwrap_or(names)).trim_start_matches("mut ").to_owned()
    }

    /// Whether a name, or a field of a row such as `tt.in`, reaches a call of the code.
    fn is_passed_on(&self, name: &str) -> bool {
        let mut found = false;
        let kinds = [
            "identifier",
            "selector_expression",
            "member_expression",
            "attribute",
            "field_expression",
        ];
        syntax::walk(self.body(), &|_| true, &mut |n| {
            if !found && kinds.contains(&n.kind()) && self.text(n) == name {
                found = match self.way(n) {
                    Way::Called => true,
                    // One more name between: `data = [text]`.
                    Way::Named(other) => other != name && self.is_given(&other),
                    Way::Elsewhere => false,
                };
            }
        });
        found
    }

    fn is_given(&self, name: &str) -> bool {
        let mut found = false;
        syntax::walk(self.body(), &|_| true, &mut |n| {
            found |= n.kind() == "identifier" && self.text(n) == name && self.way(n) == Way::Called;
        });
        found
    }

    /// What is called, with its holder: `t.Errorf`, `self.assertEqual`, `f`.
    fn callee(&self, call: Node<'_>) -> String {
        let function =
            ["function", "constructor", "type"].iter().find_map(|f| call.child_by_field_name(f));
        if let Some(function) = function {
            return self.text(function).to_owned();
        }
        let object = syntax::field(call, "object", self.source);
        format!("{object}.{}", syntax::field(call, "name", self.source))
    }

    /// Calls that give back what they are given.
    fn only_holds(&self, callee: &str, receiver: bool) -> bool {
        let last = last(callee);
        match self.language {
            Language::Rust if receiver => {
                matches!(
                    last,
                    "to_string"
                        | "to_owned"
                        | "into"
                        | "to_vec"
                        | "as_str"
                        | "as_bytes"
                        | "clone"
                        | "iter"
                )
            }
            Language::Rust => {
                matches!(callee, "Some" | "Ok" | "Err" | "String::from" | "Box::new" | "Vec::from")
            }
            Language::Go => {
                matches!(
                    callee,
                    "int64"
                        | "int32"
                        | "uint64"
                        | "uint32"
                        | "uint8"
                        | "float64"
                        | "string"
                        | "byte"
                        | "rune"
                )
            }
            Language::Python | Language::Java | Language::Script(_) => false,
        }
    }

    /// Calls of the test tool, of assertions, and of what only tells people something.
    fn is_tool(&self, callee: &str) -> bool {
        let last = last(callee);
        let root = callee.split(['.', ':', '(']).next().unwrap_or_default();
        let asserts = callee.to_lowercase().contains("assert") || last == "fail";
        asserts
            || match self.language {
                Language::Python => {
                    matches!(
                        last,
                        "raises"
                            | "warns"
                            | "approx"
                            | "print"
                            | "skip"
                            | "len"
                            | "isinstance"
                            | "range"
                            | "subTest"
                    ) || matches!(root, "pytest" | "logging" | "monkeypatch")
                }
                Language::Rust => matches!(last, "expect" | "expect_err" | "unwrap_or"),
                Language::Go => {
                    matches!(
                        root,
                        "t" | "b" | "f" | "require" | "fmt" | "errors" | "reflect" | "cmp" | "log"
                    ) && callee.contains('.')
                        || matches!(callee, "len" | "make" | "append" | "panic")
                }
                Language::Script(_) => matches!(
                    root,
                    "expect" | "describe" | "it" | "test" | "vi" | "jest" | "console"
                ),
                Language::Java => matches!(root, "System" | "Mockito"),
            }
    }

    fn add(&mut self, node: Node<'_>) {
        let was = match literal::kind(node) {
            Some(_) => value(node, self.source),
            None => list_value(node, self.source).filter(|_| self.may_grow(node)),
        };
        let (edit, other) = (self.edit(node, Which::Next), self.edit(node, Which::Other));
        let wild = self.edit(node, Which::Wild);
        let was = was.filter(|w| !is_trivial(w) || is_small(w));
        if let (Some(was), Some(edit), Some(other), Some(wild)) = (was, edit, other, wild) {
            self.found.push(Neighbour { was, edit, other, wild });
        }
    }

    /// A literal becomes another one; a list gets one more.
    fn edit(&self, node: Node<'_>, which: Which) -> Option<Edit> {
        let old = self.text(node);
        if literal::kind(node).is_some() {
            let new = beside(node, self.source, which, &self.taken)?;
            let what = format!("`{old}` becomes `{new}`");
            return Some(self.replaced(node.byte_range(), new, what));
        }
        let last = elements(node)?.last().copied()?;
        let deepest = innermost(last);
        let new = beside(deepest, self.source, which, &self.taken)?;
        let before = self.source.get(last.start_byte()..deepest.start_byte())?;
        let after = self.source.get(deepest.end_byte()..last.end_byte())?;
        let more = format!("{before}{new}{after}");
        let what = format!("`{}` has `{more}` besides", syntax::folded(old));
        Some(self.replaced(last.end_byte()..last.end_byte(), format!(", {more}"), what))
    }

    /// Whether a list may have one more: in a language with types its length may be part of them.
    fn may_grow(&self, node: Node<'_>) -> bool {
        let before = self.source.get(..node.start_byte()).unwrap_or_default().trim_end();
        match self.language {
            Language::Python | Language::Script(_) => node.kind() != "tuple",
            Language::Rust => node.kind() == "array_expression" && before.ends_with(['!', '&']),
            Language::Go => {
                node.kind() == "composite_literal"
                    && syntax::field(node, "type", self.source).starts_with("[]")
            }
            Language::Java => false,
        }
    }

    fn replaced(&self, range: Range<usize>, text: String, what: String) -> Edit {
        let before = self.source.get(..range.start).unwrap_or_default();
        let line = u32::try_from(before.matches('\n').count() + 1).unwrap_or(u32::MAX);
        Edit { line, from: range.start, to: range.end, text, what }
    }
}

/// The values of a test and, where no other code can stand in its file, of the tests beside it.
fn taken(language: Language, source: &str, test: Node<'_>) -> BTreeSet<String> {
    let mut whole = test;
    while let Some(above) = whole.parent() {
        let own = above.kind() == "decorated_definition";
        if !own && !matches!(language, Language::Python | Language::Script(_)) {
            break;
        }
        whole = above;
    }
    let mut found = BTreeSet::new();
    syntax::walk(whole, &|_| true, &mut |n| found.extend(value(n, source)));
    found
}

/// The literal inside a sign, brackets or an element of Go's.
fn innermost(node: Node<'_>) -> Node<'_> {
    match node.kind() {
        "unary_operator" | "unary_expression" | "literal_element" | "parenthesized_expression" => {
            syntax::children(node).pop().map_or(node, innermost)
        }
        _ => node,
    }
}

fn last(path: &str) -> &str {
    path.rsplit(['.', ':']).next().unwrap_or(path)
}

fn field_of<'t>(parent: Node<'t>, child: Node<'_>) -> Option<&'t str> {
    let mut cursor = parent.walk();
    let at = parent.children(&mut cursor).position(|n| n == child)?;
    parent.field_name_for_child(u32::try_from(at).ok()?)
}
