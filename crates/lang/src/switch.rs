//! One text that holds many mutants, chosen at run time: where sources are compiled a build costs more than a run. Every
//! function that holds mutants gets its whole body once for each of them, so that types and borrows are those of a plain
//! change. Builds nothing.

use crate::edit::Edit;
use crate::{Language, go, rust};
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

/// A function whose body can be switched.
pub(crate) struct Function {
    /// Where its attributes may go.
    pub(crate) start: usize,
    pub(crate) body: Range<usize>,
    /// How many modules of this file are around it.
    pub(crate) modules: usize,
}

/// How a language chooses among bodies.
pub(crate) struct Chooser {
    /// In front of every function that is switched.
    pub(crate) before: &'static str,
    /// What begins the choice in a function, a case of it by its number, and the case of all other numbers.
    pub(crate) choice: fn(&Function, usize) -> String,
    pub(crate) case: fn(usize) -> String,
    pub(crate) otherwise: &'static str,
    /// What reads the number, for the file whose first mutant has this one.
    pub(crate) reader: fn(usize) -> String,
    /// What has to stand near the top of the file.
    pub(crate) head: fn(Node<'_>) -> Option<(usize, &'static str)>,
    /// The functions that can be switched, in order.
    pub(crate) functions: fn(Node<'_>, &str) -> Vec<Function>,
}

/// All the mutants that one text can take; mutant `i` of the list gets the number `first + i`. None where the
/// language has no need of it, or nothing can be taken: functions that can't be there many times, and what lies outside of
/// functions.
pub fn switched(file: &str, source: &str, mutants: &[Edit], first: usize) -> Option<Switched> {
    let language = Language::of(file)?;
    let chooser = match language {
        Language::Rust => rust::switch::CHOOSER,
        Language::Go => go::switch::CHOOSER,
        _ => return None,
    };
    let tree = language.parse(source)?;
    let functions = (chooser.functions)(tree.root_node(), source);
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
        edits.push(replacement(function.start..function.start, chooser.before.to_owned()));
        let text = body((source, &chooser), function, mutants, &indexes, first)?;
        edits.push(replacement(function.body.clone(), text));
        taken.extend(indexes);
    }
    if taken.is_empty() {
        return None;
    }
    taken.sort_unstable();
    if let Some((at, text)) = (chooser.head)(tree.root_node()) {
        edits.insert(0, replacement(at..at, text.to_owned()));
    }
    let mut text = Edit::applied(source, &edits);
    let _ = write!(text, "\n{READER}\n{}", (chooser.reader)(first));
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

fn replacement(range: Range<usize>, text: String) -> Edit {
    Edit { line: 0, from: range.start, to: range.end, text, what: String::new() }
}

/// A body that is one of many.
fn body(
    (source, chooser): (&str, &Chooser),
    function: &Function,
    mutants: &[Edit],
    indexes: &[usize],
    first: usize,
) -> Option<String> {
    let Range { start, end } = function.body;
    let mut text = format!("{{ {} {{\n", (chooser.choice)(function, first));
    for index in indexes {
        let edit = mutants.get(*index)?;
        let number = first + index;
        let before = source.get(start..edit.from)?;
        let after = source.get(edit.to..end)?;
        let case = (chooser.case)(number);
        let _ =
            write!(text, "{BEGINS}{number}\n{case} {before}{}{after}\n{ENDS}{number}\n", edit.text);
    }
    let _ = write!(text, "{} {}\n}} }}", chooser.otherwise, source.get(start..end)?);
    Some(text)
}
