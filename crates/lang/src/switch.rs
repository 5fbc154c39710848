//! One Rust text that holds many mutants, chosen at run time: a build costs more than a run there. Every function that
//! holds mutants gets its whole body once for each of them, so that types and borrows are those of a plain change.
//! Builds nothing.

use crate::edit::Edit;
use crate::{Language, syntax};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;
use tree_sitter::Node;

/// The variable that says which mutant of a switched text is alive.
pub const SWITCH: &str = "PROCTOR_MUTANT";

/// One text that holds many mutants; [`SWITCH`] says by its number which one is alive. With another number, or none,
/// it behaves as the source does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switched {
    pub text: String,
    /// The places, in the list that was given, of the mutants that are in it.
    pub taken: Vec<usize>,
}

const BEGINS: &str = "// proctor-mutant-begins ";
const ENDS: &str = "// proctor-mutant-ends ";
const READER: &str = "// proctor-mutant-reader";

/// Lints that a mutant may trip over although it would compile: those that are errors by themselves, and whatever the
/// project made one.
const QUIET: &str =
    "#[allow(warnings, unconditional_panic, arithmetic_overflow, overflowing_literals)] ";

/// All the mutants that one text can take; mutant `i` of the list gets the number `first + i`. None where the
/// language has no need of it, or nothing can be taken: functions that are `const`, return `impl …` or come out of a
/// macro, and what lies outside of functions.
pub fn switched(file: &str, source: &str, mutants: &[Edit], first: usize) -> Option<Switched> {
    if Language::of(file) != Some(Language::Rust) {
        return None;
    }
    let tree = Language::Rust.parse(source)?;
    let root = tree.root_node();
    if is_without_std(root, source) {
        return None;
    }
    let mut functions = Vec::new();
    bodies(root, source, &mut functions);
    let mut held: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, edit) in mutants.iter().enumerate() {
        let inside = |f: &Function| f.body.start <= edit.from && edit.to <= f.body.end;
        if let Some(at) = functions.iter().position(inside) {
            held.entry(at).or_default().push(index);
        }
    }
    let mut edits = Vec::new();
    let mut taken = Vec::new();
    for (at, indexes) in held {
        let function = functions.get(at)?;
        edits.push(replacement(function.start..function.start, QUIET.to_owned()));
        let text = body(source, function, mutants, &indexes, first)?;
        edits.push(replacement(function.body.clone(), text));
        taken.extend(indexes);
    }
    if taken.is_empty() {
        return None;
    }
    taken.sort_unstable();
    let mut text = Edit::applied(source, &edits);
    text.push_str(&reader());
    Some(Switched { text, taken })
}

/// The numbers of the mutants whose bodies lie on these lines of a text from [`switched`]: where a compiler complains
/// there, they are not viable. A complaint about what all of them need is one about all of them.
pub fn blamed(text: &str, lines: &BTreeSet<u32>) -> Vec<usize> {
    let mut all = BTreeSet::new();
    let mut found = BTreeSet::new();
    let mut open: Option<usize> = None;
    let mut reader = false;
    for (line, written) in (1_u32..).zip(text.lines()) {
        if let Some(number) = written.strip_prefix(BEGINS).and_then(|n| n.parse().ok()) {
            open = Some(number);
            all.insert(number);
        }
        reader |= written == READER;
        if lines.contains(&line) {
            found.extend(open);
            if reader {
                return all.into_iter().collect();
            }
        }
        if written.starts_with(ENDS) {
            open = None;
        }
    }
    found.into_iter().collect()
}

/// A function whose body can be switched.
struct Function {
    /// Where its attributes may go.
    start: usize,
    body: Range<usize>,
    /// How many modules of this file are around it.
    modules: usize,
}

fn replacement(range: Range<usize>, text: String) -> Edit {
    Edit { line: 0, from: range.start, to: range.end, text, what: String::new() }
}

fn is_without_std(root: Node<'_>, source: &str) -> bool {
    syntax::children(root).iter().any(|n| {
        let text = syntax::text(*n, source);
        n.kind() == "inner_attribute_item" && (text.contains("no_std") || text.contains("no_core"))
    })
}

/// The outermost functions, in order. Goes through modules, traits and implementations alone, with a list of its own:
/// a source may be nested deeper than a stack.
fn bodies(root: Node<'_>, source: &str, found: &mut Vec<Function>) {
    let mut open = vec![(root, 0)];
    while let Some((node, modules)) = open.pop() {
        match node.kind() {
            "function_item" => found.extend(function(node, modules, source)),
            "mod_item" => open.extend(syntax::children(node).into_iter().map(|n| (n, modules + 1))),
            "source_file" | "impl_item" | "trait_item" | "declaration_list" => {
                open.extend(syntax::children(node).into_iter().map(|n| (n, modules)));
            }
            _ => {}
        }
    }
    found.sort_by_key(|f| f.start);
}

fn function(node: Node<'_>, modules: usize, source: &str) -> Option<Function> {
    let body = node.child_by_field_name("body")?;
    let constant = syntax::children(node).iter().any(|n| {
        n.kind() == "function_modifiers"
            && syntax::text(*n, source).split_whitespace().any(|word| word == "const")
    });
    let hidden = syntax::field(node, "return_type", source)
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|word| word == "impl");
    (!constant && !hidden && !holds_what_is_unique(body)).then(|| Function {
        start: node.start_byte(),
        body: body.byte_range(),
        modules,
    })
}

/// Implementations can't be there twice, and a body's own attributes must stay at its start.
fn holds_what_is_unique(body: Node<'_>) -> bool {
    let mut open = vec![body];
    while let Some(node) = open.pop() {
        if matches!(node.kind(), "impl_item" | "inner_attribute_item" | "mod_item") {
            return true;
        }
        open.extend(syntax::children(node));
    }
    false
}

/// A body that is one of many.
fn body(
    source: &str,
    function: &Function,
    mutants: &[Edit],
    indexes: &[usize],
    first: usize,
) -> Option<String> {
    let Range { start, end } = function.body;
    let path = match function.modules {
        0 => "self::".to_owned(),
        depth => "super::".repeat(depth),
    };
    let mut text = format!("{{ match {path}__proctor_mutant() {{\n");
    for index in indexes {
        let edit = mutants.get(*index)?;
        let number = first + index;
        let before = source.get(start..edit.from)?;
        let after = source.get(edit.to..end)?;
        let _ = write!(
            text,
            "{BEGINS}{number}\n{number}usize => {before}{}{after}\n{ENDS}{number}\n",
            edit.text
        );
    }
    let _ = write!(text, "_ => {}\n}} }}", source.get(start..end)?);
    Some(text)
}

/// What reads the number, once a process. Paths from the root and no macro, so that it is the same in every edition.
fn reader() -> String {
    format!(
        "\n{READER}
#[allow(warnings, clippy::all)]
#[doc(hidden)]
fn __proctor_mutant() -> usize {{
    static NUMBER: ::std::sync::OnceLock<usize> = ::std::sync::OnceLock::new();
    *NUMBER.get_or_init(|| match ::std::env::var(\"{SWITCH}\") {{
        ::std::result::Result::Ok(number) => number.parse::<usize>().unwrap_or(usize::MAX),
        ::std::result::Result::Err(_) => usize::MAX,
    }})
}}
"
    )
}
