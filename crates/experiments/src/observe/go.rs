//! Tests of Go that observe. A copy is a function beside the others; what all of them call stands in a file of its own, one
//! a package. Owns where a test begins and what stands around its body; what is asked inside is in the files below.

mod condition;
mod hoist;
mod names;
mod sites;

use super::places::Places;
use super::{Aid, Channel, Copy, Observer, Source, mark, put};
use names::{Names, is_testing};
use proctor_lang::Edit;
use proctor_lang::Language;
use proctor_lang::syntax::{children, field, text};
use sites::Sites;
use std::collections::BTreeMap;
use std::ops::Range;
use tree_sitter::Node;

/// What stands beside the file. No source of its own: an analyzer would take it for one.
const CHANNEL: &str = include_str!("channel.go.txt");

pub(super) struct Go;

impl Observer for Go {
    fn span(&self, source: &Source<'_>, line: u32) -> Option<Range<usize>> {
        let function = proctor_lang::test_at(Language::Go, source.root, source.text, line)?;
        is_test(function, source.text).then(|| first(function, source)..function.end_byte())
    }

    fn copy(&self, source: &Source<'_>, span: &Range<usize>, copy: Copy) -> Vec<Edit> {
        let Some(function) = source.functions(span).next() else { return Vec::new() };
        let parts = function.child_by_field_name("name").zip(function.child_by_field_name("body"));
        let Some((name, body)) = parts else { return Vec::new() };
        let names = Names::of(function, source);
        let at = format!("{}, {}", copy.sample, copy.number);
        let own = names.own.clone();
        let inside = body.start_byte() + 1;
        let begin =
            format!(" defer obEnd({at}, {own}, obBegin({at}, {own})); obTry({});", copy.sample);
        let mut found = vec![
            put(span.start, span.start, format!("// {}\n", mark(copy))),
            put(name.end_byte(), name.end_byte(), copy.suffix()),
            put(inside, inside, begin),
        ];
        found.extend(Sites::of(source, body, (names, Places::new(at, 0))).found);
        found
    }

    /// Functions that are given a testing value: it says which copy is running.
    fn helpers(&self, source: &Source<'_>, first: usize) -> Vec<Aid> {
        let mut next = first;
        let mut found = Vec::new();
        for function in children(source.root) {
            let parts =
                function.child_by_field_name("name").zip(function.child_by_field_name("body"));
            let Some((name, body)) = parts.filter(|_| helps(function, source.text)) else {
                continue;
            };
            let Some(test) = given_test(function, source.text) else { continue };
            let inside = body.start_byte() + 1;
            let begin = format!(" obT, obV := obOf({test}); _, _ = obT, obV;");
            let names = Names::of(function, source);
            let places = Sites::of(source, body, (names, Places::new("obT, obV", next)));
            if places.found.is_empty() {
                continue;
            }
            next = places.next;
            let mut edits = vec![put(inside, inside, begin)];
            edits.extend(places.found);
            let name = text(name, source.text).to_owned();
            found.push(Aid { name, span: function.byte_range(), edits });
        }
        found
    }

    fn around(&self, _source: &Source<'_>, _channel: &Channel) -> Vec<Edit> {
        Vec::new()
    }

    fn beside(&self, source: &Source<'_>, channel: &Channel) -> BTreeMap<String, String> {
        let clause = children(source.root).into_iter().find(|n| n.kind() == "package_clause");
        let Some(package) = clause.and_then(|n| n.named_child(0)) else { return BTreeMap::new() };
        let package = text(package, source.text);
        let folder = source.file.rsplit_once('/').map(|(folder, _)| format!("{folder}/"));
        let said: String = channel.0.chars().filter(char::is_ascii_alphanumeric).collect();
        // The package does not stand last: `_linux_test.go` is for Linux only.
        let path = format!("{}ob_{package}_o{said}_test.go", folder.unwrap_or_default());
        let text = CHANNEL.replace("@PACKAGE@", package).replace("@CHANNEL@", &channel.0);
        BTreeMap::from([(path, text)])
    }
}

/// A test, and no benchmark, example or fuzzing: a function of a `*testing.T`, or a suite's method.
fn is_test(function: Node<'_>, source: &str) -> bool {
    let name = field(function, "name", source);
    let Some(rest) = name.strip_prefix("Test") else { return false };
    if rest.starts_with(char::is_lowercase) || function.child_by_field_name("body").is_none() {
        return false;
    }
    let given = function.child_by_field_name("parameters").map(children).unwrap_or_default();
    if function.kind() == "method_declaration" {
        let receiver = function.child_by_field_name("receiver").and_then(|r| r.named_child(0));
        return given.is_empty() && receiver.is_some_and(|r| !field(r, "name", source).is_empty());
    }
    let [one] = given.as_slice() else { return false };
    field(*one, "type", source).rsplit_once('.').is_some_and(|(_, last)| last == "T")
}

/// A function that no tool calls by itself.
fn helps(function: Node<'_>, source: &str) -> bool {
    let name = field(function, "name", source);
    let called = ["Test", "Benchmark", "Fuzz", "Example"].iter().any(|of| name.starts_with(of));
    matches!(function.kind(), "function_declaration" | "method_declaration") && !called
}

/// What a function calls the testing value that it is given.
fn given_test<'s>(function: Node<'_>, source: &'s str) -> Option<&'s str> {
    let given = function.child_by_field_name("parameters").map(children).unwrap_or_default();
    let test = given.into_iter().find(|one| is_testing(field(*one, "type", source)))?;
    Some(field(test, "name", source)).filter(|name| !matches!(*name, "" | "_"))
}

/// Where the comment right above a function begins, or the function itself.
fn first(function: Node<'_>, source: &Source<'_>) -> usize {
    let mut first = function;
    while let Some(above) = first.prev_named_sibling().filter(|n| n.kind() == "comment") {
        let start = above.start_byte() - above.start_position().column;
        let alone = source.text.get(start..above.start_byte()).is_some_and(|s| s.trim().is_empty());
        // The first line of a file may be a comment too, but then something stands between.
        if !alone || above.end_position().row + 1 != first.start_position().row {
            break;
        }
        first = above;
    }
    first.start_byte()
}

#[cfg(test)]
#[path = "go_tests.rs"]
mod tests;
