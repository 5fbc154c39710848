//! What a changed source holds that a person should look at: it is named, it never decides alone. Owns the kinds and
//! the order; each kind's rules are in a file of their own. Reads one source at a time, by its syntax.

mod cfg;
mod detection;
mod exits;
mod facts;
mod habits;
mod hidden;
mod lookalike;
mod paths;
mod same;
mod sources;
mod strings;
mod tampering;

pub use same::same_code;
pub use sources::{is_executable_source, is_generated};

use facts::Facts;
pub use hidden::hidden as hidden_characters;
use proctor_core::report::Place;
use proctor_lang::Language;
use proctor_lang::rust::split::is_test_attribute;
use proctor_lang::zone::{Zone, zone};
use proctor_lang::{Words, syntax};
use std::collections::BTreeSet;
use tree_sitter::Node;

/// Something to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspicion {
    pub kind: SuspicionKind,
    pub place: Place,
    /// One line, for people.
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SuspicionKind {
    /// Bidirectional control characters and other invisible ones.
    Hidden,
    /// A name with letters of two scripts that look alike.
    LookAlike,
    /// Ends the process.
    Exit,
    /// Asks whether it runs under test.
    TestDetection,
    /// Reaches into the test tool, its reports or its assertions.
    RunnerTampering,
    /// Equality or comparison of its own.
    Equality,
    /// Reads its own callers or the tests' sources.
    Peeking,
    /// A skip or an expected failure raised by production code.
    Skip,
    /// Says of itself that it is not written yet.
    Unfinished,
    /// Switches a check off: lint, type or coverage.
    Suppression,
}

/// What a parser gives up on, no rule can look into.
const UNREADABLE: &str =
    "this file can't be read as source code: it nests too deep, or is one long error";

/// One finding of a rule, before its place is known.
struct Hit<'t> {
    kind: SuspicionKind,
    node: Node<'t>,
    text: String,
}

impl<'t> Hit<'t> {
    fn new(kind: SuspicionKind, node: Node<'t>, text: impl Into<String>) -> Self {
        Self { kind, node, text: text.into() }
    }
}

/// Suspicions in these lines of a file. In a test file only what is hidden there, names that look alike, and a
/// `TestMain` of its own: the rest is what tests do.
pub fn suspicions(file: &str, source: &str, lines: &BTreeSet<u32>) -> Vec<Suspicion> {
    let mut found: Vec<Suspicion> = Vec::new();
    let mut push = |kind: SuspicionKind, line: u32, text: String| {
        let place = Place { file: file.to_owned(), line: Some(line) };
        let one = Suspicion { kind, place, text };
        if !found.contains(&one) {
            found.push(one);
        }
    };
    for (line, text) in hidden::hidden(source, lines) {
        push(SuspicionKind::Hidden, line, text);
    }
    for (line, text) in lookalike::look_alikes(file, source, lines) {
        push(SuspicionKind::LookAlike, line, text);
    }
    let language = Language::of(file);
    if language == Some(Language::Rust) && zone(file) != Zone::Test {
        for (line, text) in unfinished(source, lines) {
            push(SuspicionKind::Unfinished, line, text);
        }
    }
    let read = language.map(|language| (language, language.parse(source)));
    if let (Some((_, None)), Some(line)) = (&read, lines.first()) {
        push(SuspicionKind::Hidden, *line, UNREADABLE.to_owned());
    }
    if let Some((language, Some(tree))) = read {
        let facts = Facts::of(language, file, source, &tree);
        let mut hits = tampering::test_mains(&facts);
        if zone(file) != Zone::Test {
            hits.extend(exits::hits(&facts));
            hits.extend(detection::hits(&facts));
            hits.extend(tampering::hits(&facts));
            hits.extend(habits::hits(&facts));
        }
        for hit in hits {
            if let Some(line) = changed_line(hit.node, lines)
                && !(language == Language::Rust && is_of_tests(hit.node, source))
            {
                push(hit.kind, line, hit.text);
            }
        }
    }
    found.sort_by_key(|s| (s.place.line, s.kind));
    found
}

/// Rust: a test that takes any panic takes these for the right one.
fn unfinished<'a>(
    source: &'a str,
    lines: &'a BTreeSet<u32>,
) -> impl Iterator<Item = (u32, String)> + 'a {
    let numbered = source.lines().zip(1..).filter(|(_, line)| lines.contains(line));
    numbered.filter_map(|(text, line)| {
        let code = text.split("//").next().unwrap_or_default();
        let word = ["todo!(", "unimplemented!("].into_iter().find(|word| code.contains(word))?;
        Some((line, format!("`{word})` says that this is not written yet")))
    })
}

/// The line of a node if it is one of these. A call that goes over several lines is changed where any of them is,
/// but a definition only by its head.
fn changed_line(node: Node<'_>, lines: &BTreeSet<u32>) -> Option<u32> {
    let first = syntax::line(node);
    let head = node
        .child_by_field_name("body")
        .map_or(node.end_position().row, |b| b.start_position().row);
    let last = u32::try_from(head + 1).unwrap_or(first).max(first);
    lines.range(first..=last).next().copied()
}

/// Whether a node of a Rust source stands in a test module or a test.
fn is_of_tests(node: Node<'_>, source: &str) -> bool {
    let marked = |item: Node<'_>| {
        let before = std::iter::successors(item.prev_named_sibling(), Node::prev_named_sibling);
        let mut attributes = before.take_while(|n| n.kind() == "attribute_item");
        attributes.any(|a| is_test_attribute(syntax::text(a, source)))
    };
    let mut around = std::iter::once(node).chain(syntax::parents(node));
    around.any(|n| matches!(n.kind(), "mod_item" | "function_item") && marked(n))
}

/// Whether a path is this one or goes on from it.
fn is(path: &str, wanted: &str) -> bool {
    path.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The first of these that a path is or goes on from.
fn first_of(path: &str, wanted: Words) -> Option<&'static str> {
    wanted.find(|w| is(path, w))
}

/// Whether a path ends with these names.
fn ends(path: &str, wanted: &str) -> bool {
    path.strip_suffix(wanted).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

#[cfg(test)]
mod tests;
