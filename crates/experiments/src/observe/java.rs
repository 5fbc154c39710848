//! Tests of `JUnit` that observe. A copy is a method beside the others, so that what is done before and after each test,
//! nested classes and rows stay as they are. What all copies call is a class of its own, one a package. Owns where a test
//! begins and what stands around its body; what is asked inside is `sites`'.

mod condition;
mod marks;
mod sites;

use super::places::Places;
use super::{Aid, Channel, Copy, Observer, Source, mark, put};
use marks::Marks;
use proctor_lang::Edit;
use proctor_lang::java::items::package;
use proctor_lang::syntax::{children, field, nodes, nodes_into, text};
use proctor_lang::{Language, Role};
use sites::Sites;
use std::collections::BTreeMap;
use std::ops::Range;
use tree_sitter::Node;

/// What stands beside the file. No source of its own: an analyzer would take it for one.
const CHANNEL: &str = include_str!("channel.java.txt");

/// The class that the copies call, in their own package. Its name is the same in every text, so that a copy can be made
/// without knowing the channel; nobody else uses it.
const CLASS: &str = "ObChannel__";

pub(super) struct Java;

impl Observer for Java {
    fn span(&self, source: &Source<'_>, line: u32) -> Option<Range<usize>> {
        let method = proctor_lang::test_at(Language::Java, source.root, source.text, line)?;
        if gives(method, source.text) {
            return None;
        }
        method.child_by_field_name("body")?;
        let marks = Marks::of(method, source.text);
        let rows = marks.rows_beside(method, source);
        let all = rows.into_iter().chain([method]);
        let (start, end) = all.fold((usize::MAX, 0), |(start, end), n| {
            (start.min(n.start_byte()), end.max(n.end_byte()))
        });
        Some(start..end)
    }

    fn copy(&self, source: &Source<'_>, span: &Range<usize>, copy: Copy) -> Vec<Edit> {
        let Some(method) = test_in(source, span) else { return Vec::new() };
        let parts = method.child_by_field_name("name").zip(method.child_by_field_name("body"));
        let Some((name, body)) = parts else { return Vec::new() };
        let marks = Marks::of(method, source.text);
        let suffix = copy.suffix();
        let mut found = vec![
            put(span.start, span.start, format!("/* {} */ ", mark(copy))),
            put(name.end_byte(), name.end_byte(), suffix.clone()),
        ];
        found.extend(marks.edits(method, source, &suffix));
        let sites = Sites::of(source, body, 0);
        let more = match &marks.expected {
            Some(class) => format!(", {}, {class}", sites.places.next),
            None => String::new(),
        };
        let (t, v) = (copy.sample, copy.number);
        let (start, end) = (body.start_byte(), body.end_byte());
        let begin = format!("{{ final {CLASS} ob_ = {CLASS}.begin({t}, {v}{more}); try ");
        found.push(put(start, start, begin));
        found.push(put(start + 1, start + 1, " ob_.go();"));
        found.extend(sites.places.found);
        let close =
            " catch (java.lang.Throwable ob_e) { ob_.threw(ob_e); } finally { ob_.end(); } }";
        found.push(put(end, end, close));
        found
    }

    /// The methods beside tests: a thread says which copy it runs.
    fn helpers(&self, source: &Source<'_>, first: usize) -> Vec<Aid> {
        let (mut found, mut next) = (Vec::new(), first);
        let is_method = |n: Node<'_>| source.model.is(n, Role::Function);
        for method in nodes_into(source.root, |n| !is_method(n)).filter(|n| is_method(*n)) {
            let body = method.child_by_field_name("body");
            let Some(body) = body.filter(|_| !is_test(method, source.text)) else { continue };
            let Places { found: asked, next: after, .. } = Sites::of(source, body, next).places;
            if asked.is_empty() {
                continue;
            }
            next = after;
            let inside = body.start_byte() + 1;
            let mut edits =
                vec![put(inside, inside, format!(" final {CLASS} ob_ = {CLASS}.now();"))];
            edits.extend(asked);
            let name = field(method, "name", source.text).to_owned();
            found.push(Aid { name, span: method.byte_range(), edits });
        }
        found
    }

    fn around(&self, _source: &Source<'_>, _channel: &Channel) -> Vec<Edit> {
        Vec::new()
    }

    fn beside(&self, source: &Source<'_>, channel: &Channel) -> BTreeMap<String, String> {
        let package = package(source.root, source.text);
        let folder = source.file.rsplit_once('/').map(|(folder, _)| format!("{folder}/"));
        let path = format!("{}{CLASS}.java", folder.unwrap_or_default());
        let clause = if package.is_empty() { String::new() } else { format!("package {package};") };
        let text = CHANNEL
            .replace("@PACKAGE@", &clause)
            .replace("@CLASS@", CLASS)
            .replace("@CHANNEL@", &channel.0);
        BTreeMap::from([(path, text)])
    }
}

/// The test of a span; the method that gives its rows may stand there too.
fn test_in<'t>(source: &Source<'t>, span: &Range<usize>) -> Option<Node<'t>> {
    source.functions(span).find(|n| !gives(*n, source.text))
}

/// Whether a method gives something back, as tests do not.
fn gives(method: Node<'_>, source: &str) -> bool {
    field(method, "type", source) != "void"
}

/// The named members beside one, comments left out.
fn neighbours<'t>(method: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let is_comment = |n: &Node<'_>| n.kind().contains("comment");
    let step = |next: fn(&Node<'t>) -> Option<Node<'t>>| {
        std::iter::successors(next(&method), next).find(|n| !is_comment(n))
    };
    [step(Node::prev_named_sibling), step(Node::next_named_sibling)].into_iter().flatten()
}

/// How often a word stands in a source, as a name or as a whole string.
fn mentions(source: &Source<'_>, word: &str) -> usize {
    let is = |n: &Node<'_>| match n.kind() {
        "identifier" => text(*n, source.text) == word,
        "string_literal" => text(*n, source.text).trim_matches('"') == word,
        _ => false,
    };
    nodes(source.root).filter(is).count()
}

/// Whether a tool calls a method as a test, by its mark or by its name.
fn is_test(method: Node<'_>, source: &str) -> bool {
    annotations(method).iter().any(|mark| text(*mark, source).contains("Test"))
        || field(method, "name", source).starts_with("test")
}

/// The annotations of a method.
fn annotations(method: Node<'_>) -> Vec<Node<'_>> {
    let modifiers = children(method).into_iter().filter(|n| n.kind() == "modifiers");
    let is_mark = |n: &Node<'_>| matches!(n.kind(), "marker_annotation" | "annotation");
    modifiers.flat_map(children).filter(is_mark).collect()
}

#[cfg(test)]
#[path = "java_tests.rs"]
mod tests;
