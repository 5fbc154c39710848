//! Other inputs for a test: each alone and all together, near and far, words renamed through the whole test, strings of the
//! same shape, lists of another length, names that the test itself defines. Language-neutral: it works on the literals of a
//! span. Nothing is run or judged here.

mod data;
mod doubles;
mod java;
mod literals;
mod other;

use crate::observe::{parsed, span};
pub use data::other_data;
pub use doubles::{Double, doubles};
use literals::{Literal, Value};
use proctor_core::observation::{Sort, Variation};
use proctor_lang::Language;
use proctor_lang::edit::Edit;
use std::collections::BTreeSet;
use std::ops::Range;

/// How many variations of one test are tried at most.
const MOST: usize = 26;
/// How many ways there are for one word or number at most.
const WAYS: usize = 6;

/// What can be varied in a test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Varying {
    /// The literals that it gives to the code.
    pub inputs: Vec<String>,
    /// The literals that it expects.
    pub expected: Vec<String>,
    /// Names of classes and functions that it defines.
    pub names: Vec<String>,
    /// Each variation and what it changes; places count from the beginning of the test's span.
    pub variations: Vec<(Variation, Vec<Edit>)>,
}

/// The variations of the test that begins at this line. `knows` says whether the change holds a word.
pub fn vary(file: &str, text: &str, line: u32, knows: &dyn Fn(&str) -> bool) -> Option<Varying> {
    let span = span(file, text, line)?;
    let language = Language::of(file)?;
    let tree = parsed(language, text)?;
    let found = literals::of(language, tree.root_node(), text, &span);
    let shown = |expected: bool| -> Vec<String> {
        let literals = found.literals.iter().filter(|l| l.expected == expected);
        let values: BTreeSet<String> = literals.map(|l| l.value.shown()).collect();
        values.into_iter().collect()
    };
    let mut made = Making { span: &span, found: &found, knows, rounds: Vec::new() };
    // A value that the test or the change holds already says nothing: it may be another case of the same table.
    made.together();
    made.numbers();
    made.words();
    made.letters();
    made.shapes();
    made.lengths();
    made.names();
    let mut rounds = made.rounds;
    // What the change may know comes first, and of each input one way before the second.
    rounds.sort_by_key(|way| (way.round, !way.variation.known));
    let variations: Vec<_> =
        rounds.into_iter().take(MOST).map(|way| (way.variation, way.edits)).collect();
    Some(Varying {
        inputs: shown(false),
        expected: shown(true),
        names: found.names.iter().map(|(name, _)| name.clone()).collect(),
        variations,
    })
}

struct Way {
    round: usize,
    variation: Variation,
    edits: Vec<Edit>,
}

struct Making<'a> {
    span: &'a Range<usize>,
    found: &'a literals::Found,
    knows: &'a dyn Fn(&str) -> bool,
    rounds: Vec<Way>,
}

impl Making<'_> {
    fn push(&mut self, round: usize, (sort, was, now): (Sort, &str, &str), edits: Vec<Edit>) {
        let is_of = |edit: &Edit, l: &Literal| l.range.start == edit.from + self.span.start;
        let literal = |edit: &Edit| self.found.literals.iter().find(|l| is_of(edit, l));
        // What is only expected is no input.
        let only_expected = edits.iter().all(|edit| literal(edit).is_some_and(|l| l.expected));
        if only_expected || self.rounds.iter().any(|way| way.edits == edits) {
            return;
        }
        let inputs = edits.iter().filter_map(|e| Some((literal(e).filter(|l| !l.expected)?, e)));
        let given = inputs.map(|(literal, edit)| literal.read(&edit.text)).collect();
        let known = !was.is_empty() && (self.knows)(was);
        let variation = Variation { sort, was: was.to_owned(), now: now.to_owned(), known, given };
        self.rounds.push(Way { round, variation, edits });
    }

    /// Replaces a literal, counted from the span's beginning.
    fn edit(&self, literal: &Literal, text: String) -> Edit {
        let (from, to) =
            (literal.range.start - self.span.start, literal.range.end - self.span.start);
        Edit { line: 0, from, to, text, what: String::new() }
    }

    /// Whether neither the test nor the change has this number.
    fn is_free(&self, number: i128) -> bool {
        !self.found.literals.iter().any(|l| l.whole() == Some(number))
            && !(self.knows)(&number.to_string())
    }

    /// The numbers that one can become.
    fn numbers_for(&self, number: i128) -> Vec<(Sort, i128)> {
        let all = other::numbers(number);
        all.into_iter().filter(|(_, next)| self.is_free(*next)).take(WAYS).collect()
    }

    /// All that the test gives at once, in two ways.
    fn together(&mut self) {
        for way in 0..2 {
            let literals = self.found.literals.iter().filter(|l| !l.expected && !l.is_edge());
            let next = |l: &Literal| match l.whole() {
                Some(n) => self.numbers_for(n).get(way).map(|(_, m)| m.to_string()),
                None => other::all(&l.value, way),
            };
            let edits: Vec<Edit> =
                literals.filter_map(|l| Some(self.edit(l, l.written(&next(l)?)))).collect();
            if edits.len() > 1 {
                self.push(way, (Sort::Together, "", ""), edits);
            }
        }
    }

    /// Each number alone, wherever it stands, also as digits of a string.
    fn numbers(&mut self) {
        let numbers: BTreeSet<i128> =
            self.found.literals.iter().filter_map(Literal::whole).collect();
        for number in numbers {
            for (way, (sort, next)) in self.numbers_for(number).into_iter().enumerate() {
                let (was, now) = (number.to_string(), next.to_string());
                let edits = self.renamed(&was, &now);
                self.push(way, (sort, &was, &now), edits);
            }
        }
        let floats: BTreeSet<String> =
            self.found.literals.iter().filter_map(Literal::float).collect();
        for was in floats {
            for (way, (sort, now)) in other::floats(&was).into_iter().enumerate() {
                let edits = self.renamed(&was, &now);
                self.push(way, (sort, &was, &now), edits);
            }
        }
    }

    /// Each word of strings, through the whole test.
    fn words(&mut self) {
        let words: BTreeSet<&str> =
            self.found.literals.iter().filter_map(Literal::string).flat_map(other::words).collect();
        for was in words {
            if was.starts_with(|c: char| c.is_ascii_digit()) {
                if self
                    .found
                    .literals
                    .iter()
                    .any(|l| l.whole().is_some_and(|n| n.to_string() == was))
                {
                    continue;
                }
                let Ok(number) = was.parse::<i128>() else { continue };
                for (way, (sort, next)) in self.numbers_for(number).into_iter().take(3).enumerate()
                {
                    let now = next.unsigned_abs().to_string();
                    let edits = self.renamed(was, &now);
                    self.push(way, (sort, was, &now), edits);
                }
                continue;
            }
            for (way, now) in other::names(was).into_iter().enumerate() {
                let edits = self.renamed(was, &now);
                self.push(way, (Sort::Word, was, &now), edits);
            }
        }
    }

    /// Each letter that has a type of its own.
    fn letters(&mut self) {
        let letters: BTreeSet<char> =
            self.found.literals.iter().filter_map(Literal::letter).collect();
        for was in letters {
            for way in 0..3 {
                let now = other::shape(&was.to_string(), way);
                let same = self.found.literals.iter().filter(|l| l.letter() == Some(was));
                let edits = same.map(|l| self.edit(l, l.written(&now))).collect();
                self.push(way, (Sort::Shape, &was.to_string(), &now), edits);
            }
        }
    }

    /// Each string as a whole.
    fn shapes(&mut self) {
        let strings: BTreeSet<&str> =
            self.found.literals.iter().filter_map(Literal::string).collect();
        for was in strings.into_iter().filter(|s| other::words(s).count() != 1 && !s.is_empty()) {
            for way in 0..2 {
                let now = other::shape(was, way);
                let same = self.found.literals.iter().filter(|l| l.string() == Some(was));
                let edits = same.map(|l| self.edit(l, l.written(&now))).collect();
                self.push(way, (Sort::Shape, was, &now), edits);
            }
        }
    }

    fn lengths(&mut self) {
        for list in &self.found.lists {
            let at =
                |range: &Range<usize>| range.start - self.span.start..range.end - self.span.start;
            let cut = at(&list.last);
            let less = Edit {
                line: 0,
                from: cut.start,
                to: cut.end,
                text: String::new(),
                what: String::new(),
            };
            self.push(0, (Sort::Length, "", "one less"), vec![less]);
            let more = Edit {
                line: 0,
                from: cut.end,
                to: cut.end,
                text: list.more.clone(),
                what: String::new(),
            };
            self.push(1, (Sort::Length, "", "one more"), vec![more]);
        }
    }

    fn names(&mut self) {
        for (name, places) in &self.found.names {
            let now = format!("{name}Zq");
            let edit = |range: &Range<usize>| Edit {
                line: 0,
                from: range.start - self.span.start,
                to: range.end - self.span.start,
                text: now.clone(),
                what: String::new(),
            };
            let edits = places.iter().map(edit).collect();
            self.push(0, (Sort::Name, name, &now), edits);
        }
    }

    /// A word or number in every literal of the test.
    fn renamed(&self, was: &str, now: &str) -> Vec<Edit> {
        let one = |literal: &Literal| {
            let written = match &literal.value {
                Value::Whole(n) if n.to_string() == was => literal.written(now),
                Value::Float(x) if x == was => literal.written(now),
                Value::String(text) => {
                    let other = other::replaced(text, was, now)?;
                    literal.written(&other)
                }
                _ => return None,
            };
            Some(self.edit(literal, written))
        };
        self.found.literals.iter().filter_map(one).collect()
    }
}

#[cfg(test)]
#[path = "vary/tests.rs"]
mod tests;
