//! Rust sources in which production and tests share a file: takes them apart at the file's top-level items and puts
//! them together again. Never looks inside an item.

use crate::language::Language;
use crate::syntax;
use std::ops::Range;
use tree_sitter::Node;

/// A source taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustSplit {
    /// The source without its top-level test items; white space at the seams is normalised.
    pub production: String,
    /// The texts of those items, in order, with their attributes.
    pub tests: Vec<String>,
}

/// Takes a source apart; none when it has no test items at its top level. Such items have `#[test]`, `#[cfg(test)]`
/// or `#[cfg(all(test, …))]`, and may be a module kept in another file.
pub fn split_rust(source: &str) -> Option<RustSplit> {
    let spans = test_spans(source);
    if spans.is_empty() {
        return None;
    }
    let tests = spans.iter().filter_map(|s| source.get(s.clone())).map(str::to_owned).collect();
    Some(RustSplit { production: without(source, &spans), tests })
}

/// The production part of a source with these test items: in the places of its own where there are as many,
/// else all at the end.
pub fn join_rust(production_source: &str, sealed_tests: &[String]) -> String {
    let spans = test_spans(production_source);
    if spans.len() == sealed_tests.len() {
        let mut joined = String::new();
        let mut at = 0;
        for (span, sealed) in spans.iter().zip(sealed_tests) {
            joined.push_str(production_source.get(at..span.start).unwrap_or(""));
            joined.push_str(sealed);
            at = span.end;
        }
        joined.push_str(production_source.get(at..).unwrap_or(""));
        return joined;
    }
    let mut joined = without(production_source, &spans);
    for sealed in sealed_tests {
        if !joined.is_empty() {
            joined.push('\n');
        }
        joined.push_str(sealed.trim_end());
        joined.push('\n');
    }
    joined
}

fn without(source: &str, spans: &[Range<usize>]) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut at = 0;
    for span in spans {
        kept.push(source.get(at..span.start).unwrap_or(""));
        at = span.end;
    }
    kept.push(source.get(at..).unwrap_or(""));
    let last = kept.len() - 1;
    let parts: Vec<&str> = kept
        .into_iter()
        .enumerate()
        .map(|(index, part)| {
            let part = if index > 0 { part.trim_start() } else { part };
            if index < last { part.trim_end() } else { part }
        })
        .filter(|part| !part.trim().is_empty())
        .collect();
    let mut text = parts.join("\n\n").trim_end().to_owned();
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

fn test_spans(source: &str) -> Vec<Range<usize>> {
    let Some(tree) = Language::Rust.parse(source) else { return Vec::new() };
    let mut spans = Vec::new();
    let mut lead: Vec<Node<'_>> = Vec::new();
    for node in syntax::children(tree.root_node()) {
        match node.kind() {
            "attribute_item" => lead.push(node),
            // A doc comment belongs to the item below it.
            "line_comment" | "block_comment"
                if syntax::text(node, source).starts_with("///") || !lead.is_empty() =>
            {
                lead.push(node);
            }
            _ => {
                let test = lead.iter().any(|a| {
                    a.kind() == "attribute_item" && is_test_attribute(syntax::text(*a, source))
                });
                if test {
                    let start = lead.first().map_or(node.start_byte(), Node::start_byte);
                    spans.push(start..node.end_byte());
                }
                lead.clear();
            }
        }
    }
    spans
}

/// `#[test]`, `#[tokio::test]`, `#[cfg(test)]`, `#[cfg(all(test, …))]`.
pub fn is_test_attribute(attribute: &str) -> bool {
    is_test_function_attribute(attribute) || is_cfg_test(attribute)
}

/// Whether an attribute makes a test of a function.
pub fn is_test_function_attribute(attribute: &str) -> bool {
    let inner = bare(attribute);
    let path = inner.split(['(', '=']).next().unwrap_or("");
    let last = path.rsplit("::").next().unwrap_or("");
    last.ends_with("test") || last == "test_case"
}

fn is_cfg_test(attribute: &str) -> bool {
    let inner = bare(attribute);
    let Some(condition) = inner.strip_prefix("cfg(").and_then(|c| c.strip_suffix(')')) else {
        return false;
    };
    holds_only_in_tests(condition)
}

fn holds_only_in_tests(condition: &str) -> bool {
    if condition == "test" {
        return true;
    }
    let Some(list) = condition.strip_prefix("all(").and_then(|c| c.strip_suffix(')')) else {
        return false;
    };
    let mut depth = 0;
    let parts = list.split(move |c| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.into_iter().any(holds_only_in_tests)
}

/// The inside of `#[…]` without white space.
fn bare(attribute: &str) -> String {
    let text: String = attribute.chars().filter(|c| !c.is_whitespace()).collect();
    text.trim_start_matches("#[").trim_end_matches(']').to_owned()
}

#[cfg(test)]
#[path = "split_tests.rs"]
mod tests;
