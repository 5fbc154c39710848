//! Tests of Rust that observe. A copy is a function beside the others, which runs the test's own body as a function inside
//! of itself. Where a copy's assertions are found is `sites`'.

mod sites;

use super::places::Places;
use super::{Aid, Channel, Copy, Observer, Source, mark, put};
use proctor_lang::rust::attribute_name;
use proctor_lang::rust::split::is_test_function_attribute;
use proctor_lang::syntax::{children, field, nodes, nodes_into, text};
use proctor_lang::{Edit, Language};
use std::ops::Range;
use tree_sitter::Node;

/// What the file brings along.
const CHANNEL: &str = include_str!("channel.rs.txt");

/// How a module below reaches it.
const REACH: &str = "#[cfg(test)] #[allow(unused_imports)] use super::__ob;";

/// A crate may refuse what a copy brings along: its name, variables that only messages used.
const ALLOW: &str = "#[allow(warnings, unused, nonstandard_style)]";

pub(super) struct Rust;

impl Observer for Rust {
    fn span(&self, source: &Source<'_>, line: u32) -> Option<Range<usize>> {
        let function = proctor_lang::test_at(Language::Rust, source.root, source.text, line)?;
        let test = Test::of(function, source.text)?;
        Some(test.start..function.end_byte())
    }

    fn copy(&self, source: &Source<'_>, span: &Range<usize>, copy: Copy) -> Vec<Edit> {
        let function = source.functions(span).find(|n| n.end_byte() == span.end);
        let test = function.and_then(|f| Test::of(f, source.text));
        test.map(|t| t.copy(source, copy)).unwrap_or_default()
    }

    /// Functions and macros that stand among tests alone: a thread says which copy it runs.
    fn helpers(&self, source: &Source<'_>, first: usize) -> Vec<Aid> {
        let (mut found, mut next) = (Vec::new(), first);
        let of_tests = proctor_lang::zone(source.file) == proctor_lang::Zone::Test;
        for node in helping(source.root, source.text, of_tests) {
            let is_macro = node.kind() == "macro_definition";
            let inner = if is_macro { Some(node) } else { node.child_by_field_name("body") };
            let places = Places::new("(__ob::t()), (__ob::v())", next);
            let Some(places) = inner.map(|inner| sites::of(inner, source, places)) else {
                continue;
            };
            let Places { found: mut edits, next: after, .. } = places;
            if edits.is_empty() {
                continue;
            }
            next = after;
            let (start, name) = (node.start_byte(), field(node, "name", source.text).to_owned());
            edits.insert(0, put(start, start, format!("{ALLOW} ")));
            found.push(Aid { name, span: node.byte_range(), edits });
        }
        found
    }

    fn around(&self, source: &Source<'_>, channel: &Channel) -> Vec<Edit> {
        let at = beginning(source.root, source.text).unwrap_or(0);
        let prelude = CHANNEL.replace("@CHANNEL@", &channel.0);
        let mut found = vec![put(at, at, format!("\n{prelude}"))];
        let modules = outside_functions(source.root).filter(|n| n.kind() == "mod_item");
        let bodies = modules.filter_map(|n| n.child_by_field_name("body"));
        for body in bodies.filter(|b| has_tests(*b, source.text)) {
            let at = beginning(body, source.text).unwrap_or_else(|| body.start_byte() + "{".len());
            found.push(put(at, at, format!("\n{REACH}\n")));
        }
        found
    }
}

/// The functions and macros of a file that are there for its tests, and are none.
fn helping<'t>(of: Node<'t>, source: &str, of_tests: bool) -> Vec<Node<'t>> {
    let mut found = Vec::new();
    for child in children(of) {
        let said = |n: &Node<'_>| text(*n, source).replace(' ', "");
        let (_, attributes) = above(child, source);
        match child.kind() {
            "mod_item" => {
                let inner = of_tests || attributes.iter().any(|a| said(a).contains("cfg(test)"));
                // Where no test stands, the channel is not reached.
                let body = child.child_by_field_name("body").filter(|b| has_tests(*b, source));
                found.extend(body.map(|b| helping(b, source, inner)).unwrap_or_default());
            }
            // What a trait asks for may be meant to panic.
            "impl_item" if child.child_by_field_name("trait").is_none() => {
                let body = child.child_by_field_name("body");
                found.extend(body.map(|b| helping(b, source, of_tests)).unwrap_or_default());
            }
            "macro_definition" if of_tests => found.push(child),
            "function_item" if of_tests && !sites::is_const(child, source) => {
                let test = attributes.iter().any(|a| is_test_function_attribute(text(*a, source)));
                found.extend(Some(child).filter(|_| !test));
            }
            _ => {}
        }
    }
    found
}

/// Behind what must stand first in a file or a module; none where nothing must.
fn beginning(of: Node<'_>, source: &str) -> Option<usize> {
    let is_comment = |n: &Node<'_>| matches!(n.kind(), "line_comment" | "block_comment");
    let is_inner = |n: &Node<'_>| match n.kind() {
        "inner_attribute_item" | "shebang" => true,
        _ => is_comment(n) && ["//!", "/*!"].iter().any(|m| text(*n, source).starts_with(m)),
    };
    let first = children(of).into_iter().take_while(|n| is_inner(n) || is_comment(n));
    first.filter(is_inner).last().map(|n| n.end_byte())
}

fn has_tests(module: Node<'_>, source: &str) -> bool {
    let attributes = outside_functions(module).filter(|n| n.kind() == "attribute_item");
    attributes.into_iter().any(|n| is_test_function_attribute(text(n, source)))
}

fn outside_functions(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    nodes_into(node, |n| n.kind() != "function_item")
}

/// How a test's body is run.
enum Way<'t> {
    Plain,
    Async,
    /// It must panic: the attribute, and the text that its message must hold.
    Panic(Node<'t>, String),
}

/// A test that can be observed.
struct Test<'t> {
    /// Where its attributes and its description begin.
    start: usize,
    name: Node<'t>,
    parameters: Node<'t>,
    body: Node<'t>,
    way: Way<'t>,
}

impl<'t> Test<'t> {
    fn of(function: Node<'t>, source: &str) -> Option<Self> {
        if !is_at_top(function) {
            return None;
        }
        let (start, attributes) = above(function, source);
        let said: Vec<&str> = attributes.iter().map(|a| text(*a, source)).collect();
        let starts =
            |name: &str| attributes.iter().zip(&said).find(|(_, a)| attribute_name(a) == name);
        let apart = starts("ignore").is_some()
            || said.iter().any(|a| a.contains("test_case") || a.contains("quickcheck"));
        if apart || !said.iter().any(|a| is_test_function_attribute(a)) {
            return None;
        }
        let [name, parameters, body] =
            ["name", "parameters", "body"].map(|f| function.child_by_field_name(f));
        let (name, parameters, body) = (name?, parameters?, body?);
        // A parameter's values come from elsewhere.
        if children(parameters).iter().any(|p| !p.kind().contains("comment")) {
            return None;
        }
        let result = function.child_by_field_name("return_type").map_or("", |n| text(n, source));
        if !matches!(result, "" | "()") && !result.contains("Result") {
            return None;
        }
        let modifiers = children(function).into_iter().find(|n| n.kind() == "function_modifiers");
        let modifiers = modifiers.map_or("", |m| text(m, source));
        let way = match (modifiers, starts("should_panic")) {
            ("", Some((attribute, _))) => Way::Panic(*attribute, expected(*attribute, source)),
            // What only sometimes must panic.
            _ if said.iter().any(|a| a.contains("should_panic")) => return None,
            ("", None) => Way::Plain,
            ("async", None) => Way::Async,
            _ => return None,
        };
        Some(Self { start, name, parameters, body, way })
    }

    fn copy(&self, of: &Source<'_>, copy: Copy) -> Vec<Edit> {
        let (t, v) = (copy.sample, copy.number);
        let source = of.text;
        let result = source.get(self.parameters.end_byte()..self.body.start_byte());
        let result = result.unwrap_or_default().trim();
        let (open, close) = match &self.way {
            Way::Plain => ("fn", format!("__ob::run({t}, {v}, __ob_in);")),
            Way::Async => ("async fn", format!("__ob::late({t}, {v}, __ob_in()).await")),
            Way::Panic(_, text) => ("fn", format!("__ob::run_panic({t}, {v}, {text}, __ob_in);")),
        };
        let mut found = vec![
            put(self.start, self.start, format!("/* {} */ {ALLOW} ", mark(copy))),
            put(self.name.end_byte(), self.name.end_byte(), copy.suffix()),
            put(
                self.parameters.end_byte(),
                self.body.start_byte(),
                format!(" {{ {open} __ob_in() {result} "),
            ),
            put(self.body.end_byte(), self.body.end_byte(), format!(" {close} }}")),
        ];
        match self.way {
            // Its assertions may be what panics, and their message holds what they saw.
            Way::Panic(attribute, _) => {
                found.push(put(attribute.start_byte(), attribute.end_byte(), ""));
            }
            Way::Plain | Way::Async => {
                let places = Places::new(format!("{t}, {v}"), 0);
                found.extend(sites::of(self.body, of, places).found);
            }
        }
        found
    }
}

/// Whether nothing but modules is around a function.
fn is_at_top(function: Node<'_>) -> bool {
    let mut around = std::iter::successors(function.parent(), Node::parent);
    around.all(|n| matches!(n.kind(), "source_file" | "declaration_list" | "mod_item"))
}

/// The attributes of a function, and where they or its description begin.
fn above<'t>(function: Node<'t>, source: &str) -> (usize, Vec<Node<'t>>) {
    let mut start = function.start_byte();
    let mut attributes = Vec::new();
    let before = std::iter::successors(function.prev_named_sibling(), Node::prev_named_sibling);
    for node in before {
        let said = text(node, source);
        match node.kind() {
            "attribute_item" => {
                attributes.push(node);
                start = node.start_byte();
            }
            "line_comment" | "block_comment"
                if said.starts_with("///") || said.starts_with("/**") =>
            {
                start = node.start_byte();
            }
            "line_comment" | "block_comment"
                if !said.starts_with("//!") && !said.starts_with("/*!") => {}
            _ => break,
        }
    }
    (start, attributes)
}

/// The literal of `#[should_panic(expected = "…")]`, as it is written.
fn expected(attribute: Node<'_>, source: &str) -> String {
    let is_text = |n: &Node<'_>| matches!(n.kind(), "string_literal" | "raw_string_literal");
    let last = nodes(attribute).filter(is_text).last();
    last.map_or_else(|| "\"\"".to_owned(), |n| text(n, source).to_owned())
}

#[cfg(test)]
#[path = "rust_tests.rs"]
mod tests;
