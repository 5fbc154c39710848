//! Where a test stands in a source: the node that begins at its line. Reads one source, and knows no test tool.

use crate::js::definers::{Definers, Kind, Mark};
use crate::js::names::Names;
use crate::js::script::{is_function, parameters};
use crate::language::Language;
use crate::syntax;
use tree_sitter::Node;

/// How often macros within macros are opened.
const ROUNDS: usize = 4;

/// The test that begins at this line: a function, a method, or the call that defines it. Rust is parsed as
/// [`readable`] gives it.
pub fn test_at<'t>(
    language: Language,
    root: Node<'t>,
    source: &str,
    line: u32,
) -> Option<Node<'t>> {
    match language {
        // The line of its `def`.
        Language::Python => first(root, "function_definition", line),
        Language::Rust => first(root, "function_item", line),
        Language::Go => syntax::children(root).into_iter().find(|n| {
            matches!(n.kind(), "function_declaration" | "method_declaration")
                && syntax::line(*n) == line
        }),
        // With its marks.
        Language::Java => first(root, "method_declaration", line),
        Language::Script(_) => call_at(root, source, line),
    }
}

/// A source that a parser reads as far as assertions go, byte for byte as long as before.
pub fn readable(language: Language, source: &str) -> String {
    match language {
        Language::Rust => opened(source),
        Language::Python | Language::Go | Language::Java | Language::Script(_) => source.to_owned(),
    }
}

fn first<'t>(root: Node<'t>, kind: &str, line: u32) -> Option<Node<'t>> {
    syntax::nodes(root).find(|n| n.kind() == kind && syntax::line(*n) == line)
}

/// The call that defines the test on a line; none where it is marked as skipped.
fn call_at<'t>(root: Node<'t>, source: &str, line: u32) -> Option<Node<'t>> {
    let definers = Definers { names: &Names::of(root, source), source };
    // Whatever a function takes may be the context by which node's tests define others.
    let functions = syntax::nodes(root).filter(|n| is_function(*n));
    let taken = functions.flat_map(parameters).filter(|p| p.kind() == "identifier");
    let contexts: Vec<String> = taken.map(|p| syntax::text(p, source).to_owned()).collect();
    let runs = |call: &Node<'_>| {
        let definer = definers.of_call(*call, &contexts);
        definer.is_some_and(|d| d.kind == Kind::Test && d.mark == Mark::Runs)
    };
    let here = |n: &Node<'_>| n.kind() == "call_expression" && syntax::line(*n) == line;
    syntax::nodes(root).filter(here).find(runs)
}

/// The source with assertion macros as calls and `vec!` as an array, byte for byte as long as before.
fn opened(source: &str) -> String {
    let mut text = source.to_owned();
    for _ in 0..ROUNDS {
        let Some(parsed) = Language::Rust.parse(&text) else { return text };
        let blank = |n: Node<'_>| {
            let name = n.child_by_field_name("macro")?;
            let tree = syntax::children(n).into_iter().find(|c| c.kind() == "token_tree")?;
            let path = syntax::text(name, &text);
            let last = path.rsplit("::").next().unwrap_or(path);
            match text.get(tree.start_byte()..=tree.start_byte()) {
                Some("(") if last.contains("assert") => Some(name.end_byte()..tree.start_byte()),
                Some("[") if last == "vec" => Some(name.start_byte()..tree.start_byte()),
                _ => None,
            }
        };
        let blanks: Vec<_> = syntax::nodes(parsed.root_node()).filter_map(blank).collect();
        if blanks.is_empty() {
            return text;
        }
        for blank in blanks {
            let spaces = " ".repeat(blank.len());
            text.replace_range(blank, &spaces);
        }
    }
    text
}
