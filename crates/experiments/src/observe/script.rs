//! Tests of jest, vitest and `node:test` that observe. A copy is a call beside the others, in the same suite. What the
//! assertions of a test become is in `sites`; this file knows what a test is and what the file around it needs.

mod imports;
mod sites;

use super::{Channel, Copy, Observer, Source, mark, put};
use proctor_lang::Edit;
use proctor_lang::Language;
use proctor_lang::Words;
use proctor_lang::js::names::Names;
use proctor_lang::js::script::{arguments, bare, first_child, is_function, parameters};
use proctor_lang::syntax::{above, children, field, line, nodes, nodes_into, text};
use proctor_lang::zone::has_ending;
use sites::Sites;
use std::ops::Range;
use tree_sitter::Node;

/// What the file brings along.
const CHANNEL: &str = include_str!("channel.mjs");

/// What people call the function that ends a test of a table; in others the place of the parameter says it.
const ENDERS: Words = Words("done cb callback next end");

pub(super) struct Script;

impl Observer for Script {
    fn span(&self, source: &Source<'_>, line: u32) -> Option<Range<usize>> {
        let call = test_at(source, line)?;
        let mut around = above(source.root, call).into_iter().skip_while(|n| is_wrapping(*n));
        let statement = around.next().filter(|n| n.kind() == "expression_statement")?;
        // Below an `if` without braces there is place for one statement only.
        let holder = around.next()?;
        if !matches!(holder.kind(), "program" | "statement_block") {
            return None;
        }
        let test = Test::of(statement, source.text)?;
        (test.call == call).then(|| statement.byte_range())
    }

    fn copy(&self, source: &Source<'_>, span: &Range<usize>, copy: Copy) -> Vec<Edit> {
        let Some(test) = test_in(source, span) else { return Vec::new() };
        let (t, v) = (copy.sample, copy.number);
        let (title, body) = (test.title.end_byte(), test.body);
        let back = if test.calls_back(source.text) { ", \"done\"" } else { "" };
        let mut found = vec![
            put(span.start, span.start, format!("/* {} */ ", mark(copy))),
            // Behind the literal, which may be another in this copy.
            put(title, title, format!("{} + \" {}\"", test.closing(source.text), copy.suffix())),
            put(body.start_byte(), body.start_byte(), format!("__ob.of({t}, {v}, ")),
            put(body.end_byte(), body.end_byte(), format!("{back})")),
        ];
        if !test.closing(source.text).is_empty() {
            found.push(put(test.title.start_byte(), test.title.start_byte(), "\"\" + ("));
        }
        let names = Names::of(source.root, source.text);
        let mut sites = Sites::new(source.text, &names, copy);
        if !test.is_table() {
            sites.context(bare(test.body));
        }
        sites.read(test.body);
        found.extend(sites.places.found);
        found
    }

    fn around(&self, source: &Source<'_>, channel: &Channel) -> Vec<Edit> {
        let mut prelude = CHANNEL.replace("@CHANNEL@", &channel.0);
        let mut found = Vec::new();
        if imports::from_node(source) {
            // For a node that does not give its modules to those who ask.
            prelude.insert_str(0, "import * as __ob_fs from \"node:fs\";\n");
            found = imports::made_lenient(source);
        }
        let start = first(source.root);
        let at = beginning(source.root).unwrap_or(start);
        // ts-jest would refuse what has no types. What the tools read at the top of a file stays there.
        let loose =
            ["ts", "tsx", "mts", "cts"].iter().any(|ending| has_ending(source.file, ending));
        let loose = if loose { "// @ts-nocheck\n" } else { "" };
        if at == start {
            found.push(put(at, at, format!("{loose}{prelude}")));
        } else {
            found.push(put(start, start, loose));
            found.push(put(at, at, format!("\n{prelude}")));
        }
        found
    }

    fn helping(&self, source: &Source<'_>, first: usize) -> Vec<Edit> {
        let names = Names::of(source.root, source.text);
        let mut sites = Sites::helping(source.text, &names, first);
        sites.read(source.root);
        sites.places.found
    }
}

/// One call that defines a test.
struct Test<'t> {
    call: Node<'t>,
    title: Node<'t>,
    /// The argument that is run.
    body: Node<'t>,
}

impl<'t> Test<'t> {
    fn of(statement: Node<'t>, source: &str) -> Option<Self> {
        let mut call = statement;
        while call.kind() == "expression_statement" || is_wrapping(call) {
            call = first_child(call)?;
        }
        let given = arguments(call);
        let title = given.first().copied().filter(|n| is_text(*n, source) || gives_text(*n))?;
        let rest = given.get(1..)?.iter().rev().copied();
        let function = rest.clone().find(|n| is_function(bare(*n)));
        let body = function.or_else(|| rest.clone().find(|n| makes_function(*n)))?;
        // What runs step by step is no function that could be called in its place.
        (bare(body).kind() != "generator_function").then_some(Self { call, title, body })
    }

    /// What ends a title that is no text by itself, before something is added to it.
    fn closing(&self, source: &str) -> &'static str {
        if is_text(self.title, source) { "" } else { ")" }
    }

    /// Whether the last thing that it takes may be the function that ends it.
    fn calls_back(&self, source: &str) -> bool {
        let function = bare(self.body);
        let last = parameters(function).last().copied().filter(|_| is_function(function));
        let table = self.is_table();
        last.is_some_and(|n| n.kind() == "identifier" && (!table || ENDERS.has(text(n, source))))
    }

    /// `test.each(rows)("title", …)`: it takes what is in the rows.
    fn is_table(&self) -> bool {
        let callee = self.call.child_by_field_name("function").map(bare);
        callee.is_some_and(|n| n.kind() == "call_expression")
    }
}

/// `await test(…)`, `void test(…)`.
fn is_wrapping(node: Node<'_>) -> bool {
    match node.kind() {
        "await_expression" => true,
        "unary_expression" => {
            node.child_by_field_name("operator").is_some_and(|n| n.kind() == "void")
        }
        _ => false,
    }
}

/// A title that comes from elsewhere: the variable of a loop, say.
fn gives_text(node: Node<'_>) -> bool {
    let names = ["identifier", "member_expression", "subscript_expression", "call_expression"];
    names.contains(&node.kind())
}

/// Whether more text can be added to it.
fn is_text(node: Node<'_>, source: &str) -> bool {
    match node.kind() {
        "string" | "template_string" => true,
        "binary_expression" => {
            field(node, "operator", source) == "+"
                && ["left", "right"]
                    .iter()
                    .any(|side| node.child_by_field_name(side).is_some_and(|n| is_text(n, source)))
        }
        _ => false,
    }
}

/// `fakeAsync(() => { … })`
fn makes_function(node: Node<'_>) -> bool {
    node.kind() == "call_expression" && arguments(node).iter().any(|n| is_function(bare(*n)))
}

/// The test of a line. Where the call of a table begins further up, the tool may name the line of its title.
fn test_at<'t>(source: &Source<'t>, wanted: u32) -> Option<Node<'t>> {
    let language = Language::of(source.file)?;
    let at = |line| proctor_lang::test_at(language, source.root, source.text, line);
    let begins = |n: &Node<'_>| {
        let list = n.child_by_field_name("arguments").filter(|_| n.kind() == "call_expression");
        list.is_some_and(|list| line(list) == wanted && line(*n) != wanted)
    };
    at(wanted).or_else(|| nodes(source.root).filter(begins).find(|n| at(line(*n)) == Some(*n)))
}

fn test_in<'t>(source: &Source<'t>, span: &Range<usize>) -> Option<Test<'t>> {
    let meets = |n: Node<'_>| n.start_byte() <= span.start && n.end_byte() >= span.end;
    let is = |n: &Node<'_>| n.kind() == "expression_statement" && n.byte_range() == *span;
    nodes_into(source.root, meets).filter(is).find_map(|n| Test::of(n, source.text))
}

fn is_remark(node: &Node<'_>) -> bool {
    matches!(node.kind(), "comment" | "hash_bang_line")
}

/// Where the first statement begins.
fn first(root: Node<'_>) -> usize {
    children(root).into_iter().find(|n| !is_remark(n)).map_or(root.end_byte(), |n| n.start_byte())
}

/// Behind `"use strict"` and its like, where there are any.
fn beginning(root: Node<'_>) -> Option<usize> {
    let directive = |n: &Node<'_>| {
        n.kind() == "expression_statement" && first_child(*n).is_some_and(|s| s.kind() == "string")
    };
    let statements = children(root).into_iter().filter(|n| !is_remark(n));
    statements.take_while(directive).last().map(|n| n.end_byte())
}

#[cfg(test)]
#[path = "script_tests.rs"]
mod tests;
