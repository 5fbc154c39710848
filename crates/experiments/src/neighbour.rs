//! Neighbours: what a test gives to the code, each with a value beside it, and the literals by which production code
//! decides. Where the two lists share a value, the code may know the test's inputs. Nothing is judged here.

mod arms;
mod constant;
mod construct;
mod data;
mod deaf;
mod decisive;
mod disguise;
mod inputs;
mod length;
mod listed;
mod mentioned;
mod next;
mod pattern;
mod rows;

pub use data::{OtherCases, holds_cases, other_cases};
pub use deaf::Deaf;
pub(crate) use deaf::{FUNCTIONS, parameters, uses};

use proctor_lang::edit::Edit;
use proctor_lang::literal::{self, Kind};
use proctor_lang::{Language, is_stub, readable, test_at};
use std::collections::BTreeSet;
use std::ops::Range;

/// Stubs hold no code.
fn language_of(file: &str) -> Option<Language> {
    Language::of(file).filter(|_| !is_stub(file))
}

/// An input of a test and its neighbour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// The literal's value as [`decisions`] writes it.
    pub was: String,
    pub edit: Edit,
    /// One more beside it.
    pub other: Edit,
    /// One that has little in common with it.
    pub wild: Edit,
}

impl Neighbour {
    /// Whether it was a number that stands everywhere.
    pub fn is_small(&self) -> bool {
        literal::is_small(&self.was)
    }
}

/// The inputs of the test that begins at this line, each with a neighbour: literals that calls get which are no
/// assertions. Values that stand everywhere, such as 0, 1 and the empty text, are left out.
pub fn neighbours(file: &str, source: &str, line: u32) -> Vec<Neighbour> {
    let mut found = all_neighbours(file, source, line);
    found.retain(|input| !input.is_small());
    found
}

/// The same with small numbers.
pub fn all_neighbours(file: &str, source: &str, line: u32) -> Vec<Neighbour> {
    let Some(language) = language_of(file) else {
        return Vec::new();
    };
    let readable = readable(language, source);
    let Some(parsed) = language.parse(&readable) else {
        return Vec::new();
    };
    let Some(test) = test_at(language, parsed.root_node(), &readable, line) else {
        return Vec::new();
    };
    let mut inputs = inputs::Inputs::new(language, source, test);
    inputs.read();
    inputs.done()
}

/// The values of all literals of that test, and of lists of them: what it gives, what it expects, and what it tells people.
pub fn literals(file: &str, source: &str, line: u32) -> BTreeSet<String> {
    let Some(language) = language_of(file) else {
        return BTreeSet::new();
    };
    let readable = readable(language, source);
    let Some(parsed) = language.parse(&readable) else {
        return BTreeSet::new();
    };
    let Some(test) = test_at(language, parsed.root_node(), &readable, line) else {
        return BTreeSet::new();
    };
    let whole = test.parent().filter(|p| p.kind() == "decorated_definition").unwrap_or(test);
    let mut found = BTreeSet::new();
    proctor_lang::syntax::walk(whole, &|_| true, &mut |n| {
        found.extend(next::value(n, &readable).or_else(|| next::list_value(n, &readable)));
    });
    found
}

/// Where longer texts of that test repeat a text, such as an error that names what it was given. None where the text
/// stands by itself twice: then it may be what comes back.
pub fn echoes(file: &str, source: &str, line: u32, value: &str) -> Vec<Range<usize>> {
    let word = value.trim_matches('"');
    let Some(language) = language_of(file).filter(|_| value.starts_with('"') && !word.is_empty())
    else {
        return Vec::new();
    };
    let readable = readable(language, source);
    let Some(parsed) = language.parse(&readable) else {
        return Vec::new();
    };
    let Some(test) = test_at(language, parsed.root_node(), &readable, line) else {
        return Vec::new();
    };
    let (mut found, mut alone) = (Vec::new(), 0);
    proctor_lang::syntax::walk(test, &|n| literal::kind(n).is_none(), &mut |n| {
        if literal::kind(n) != Some(Kind::Text) {
            return;
        }
        let written = proctor_lang::syntax::text(n, &readable);
        let Some(inside) = literal::inside(written) else {
            return;
        };
        let start = n.start_byte() + inside.start;
        let inner = written.get(inside).unwrap_or_default();
        if inner == word {
            alone += 1;
        } else {
            let places = inner.match_indices(word).map(|(at, _)| start + at);
            found.extend(places.map(|from| from..from + word.len()));
        }
    });
    if alone > 1 { Vec::new() } else { found }
}

/// By what a construct of production code decides: what is compared, what its cases or arms stand for, the keys of a
/// table. Integers in decimal digits, texts between double quotes, lists between brackets; values that stand everywhere
/// are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// On the lines that were asked for. Of a table only where it lies on them as a whole.
    pub named: BTreeSet<String>,
    /// In the whole construct.
    pub all: BTreeSet<String>,
}

/// What is decided by literals on these lines.
pub fn decisions(file: &str, source: &str, lines: &BTreeSet<u32>) -> Vec<Decision> {
    if language_of(file).is_none() {
        return listed::decisions(source);
    }
    let mut found = decided(file, source, lines);
    for decision in &mut found {
        decision.named.retain(|value| !literal::is_small(value));
        decision.all.retain(|value| !literal::is_small(value));
    }
    found.retain(|decision| !decision.named.is_empty());
    found
}

/// The small numbers by which constructs on these lines decide.
pub fn small_decisions(file: &str, source: &str, lines: &BTreeSet<u32>) -> Vec<Decision> {
    let mut found = decided(file, source, lines);
    for decision in &mut found {
        decision.named.retain(|value| literal::is_small(value));
        decision.all.retain(|value| literal::is_small(value));
    }
    found.retain(|decision| !decision.named.is_empty());
    found
}

fn decided(file: &str, source: &str, lines: &BTreeSet<u32>) -> Vec<Decision> {
    let Some(language) = language_of(file) else {
        return Vec::new();
    };
    let readable = readable(language, source);
    let Some(parsed) = language.parse(&readable) else {
        return Vec::new();
    };
    let mut found = decisive::decisions(language, parsed.root_node(), &readable, lines);
    found.extend(listed::folded(parsed.root_node(), &readable, lines));
    found
}

/// What stands together on these lines, whatever is done with it.
pub fn mentioned(file: &str, source: &str, lines: &BTreeSet<u32>) -> Vec<Decision> {
    let Some(language) = language_of(file) else {
        return Vec::new();
    };
    let readable = readable(language, source);
    let parsed = language.parse(&readable);
    parsed.map_or_else(Vec::new, |tree| mentioned::mentioned(tree.root_node(), &readable, lines))
}

/// Whether code on these lines could know a value without naming it: by a checksum, or by an encoding of it.
pub fn is_disguised(file: &str, source: &str, lines: &BTreeSet<u32>) -> bool {
    let parsed = language_of(file).and_then(|language| language.parse(source));
    parsed.is_some_and(|parsed| disguise::is_there(parsed.root_node(), source, lines))
}

/// Whether code on these lines asks for the letters of a text one by one.
pub fn is_spelled(file: &str, source: &str, lines: &BTreeSet<u32>) -> bool {
    let parsed = language_of(file).and_then(|language| language.parse(source));
    parsed.is_some_and(|parsed| disguise::is_spelled(parsed.root_node(), source, lines))
}

/// The functions that begin on these lines and use nothing that they are given.
pub fn deaf(file: &str, source: &str, lines: &BTreeSet<u32>) -> Vec<Deaf> {
    let parsed = language_of(file).and_then(|language| language.parse(source));
    parsed.map_or_else(Vec::new, |parsed| deaf::deaf(parsed.root_node(), source, lines))
}

/// The lengths that code on these lines asks for exactly.
pub fn lengths(file: &str, source: &str, lines: &BTreeSet<u32>) -> BTreeSet<usize> {
    let parsed = language_of(file).and_then(|language| language.parse(source));
    parsed.map_or_else(BTreeSet::new, |parsed| length::lengths(parsed.root_node(), source, lines))
}

/// The names of functions that begin on these lines and give one answer to whatever they are given.
pub fn constant(file: &str, source: &str, lines: &BTreeSet<u32>) -> Vec<String> {
    let parsed = language_of(file).and_then(|language| language.parse(source));
    parsed.map_or_else(Vec::new, |parsed| constant::constant(parsed.root_node(), source, lines))
}

#[cfg(test)]
#[path = "neighbour/tests.rs"]
mod tests;
