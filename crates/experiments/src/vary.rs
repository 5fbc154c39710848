//! Other inputs for a test: each alone and all together, near and far, words renamed through the whole test, strings of the
//! same shape, lists of another length, names that the test itself defines. Language-neutral: it works on the literals of a
//! span. Nothing is run or judged here.

mod data;
mod doubles;
mod java;
mod literals;
mod mappings;
mod members;
mod modules;
mod other;
mod prose;
mod tables;

use crate::observe::{parsed, put, span};
pub use data::other_data;
pub use doubles::{Double, Without, apart, doubles, edges, without};
use literals::{Found, Literal, Value};
pub use members::Enumerations;
pub use modules::{Module, importing, vary_module};
pub use other::{length, words as words_in};
use proctor_core::observation::{LONGER, NUMBERS, STRINGS, Sort, Variation};
use proctor_lang::Language;
use proctor_lang::edit::Edit;
pub use prose::other_text;
use std::collections::{BTreeMap, BTreeSet};
pub use tables::{TABLE_WAYS, other_tables, words as named_in};

/// How many variations of one test are tried at most.
pub const MOST: usize = 32;
/// How many variations of what stands around it: each is a file of its own.
const MOST_AROUND: usize = 24;
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
    /// Those that change something around the test, which other tests see too; places count from the file's beginning.
    pub around: Vec<Around>,
}

/// A variation of what stands around a test: in its file, or in one that it imports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Around {
    pub variation: Variation,
    pub edits: Vec<Edit>,
    pub module: Option<Module>,
}

/// What is known about a test besides its text.
pub struct About<'a> {
    /// Whether the change holds a word.
    pub knows: &'a dyn Fn(&str) -> bool,
    /// Whether head brings this line of the file: of a long table those rows matter that are new.
    pub is_new: &'a dyn Fn(u32) -> bool,
    /// Whether a string names a file of the tree: with another name there is nothing to read.
    pub is_file: &'a dyn Fn(&str) -> bool,
    /// Whether the code calls something by this word: a key without quotes that it reads is an option of it, and no data.
    pub is_name: &'a dyn Fn(&str) -> bool,
    /// The enumerations whose members it may give.
    pub enumerations: &'a Enumerations,
}

impl About<'_> {
    /// Whether a literal has to stay what it is.
    fn stays(&self, literal: &Literal) -> bool {
        let stays = |text: &str| (self.is_file)(text) || literal.is_bare() && (self.is_name)(text);
        literal.string().is_some_and(stays)
    }
}

/// The variations of the test that begins at this line. `knows` says whether the change holds a word.
pub fn vary(file: &str, text: &str, line: u32, knows: &dyn Fn(&str) -> bool) -> Option<Varying> {
    let enumerations = &Enumerations::default();
    let (is_new, none) = (&|_: u32| true, &|_: &str| false);
    vary_about(
        file,
        text,
        line,
        &About { knows, is_new, is_file: none, is_name: none, enumerations },
    )
}

/// The same with what is known about the test.
pub fn vary_about(file: &str, text: &str, line: u32, about: &About<'_>) -> Option<Varying> {
    let span = span(file, text, line)?;
    let language = Language::of(file)?;
    let tree = parsed(language, text)?;
    let mut found = literals::of(language, tree.root_node(), text, &span);
    if stands_beside(language) {
        let parts = tables::given_to((language, tree.root_node()), text, &span);
        for part in &parts {
            let more = literals::of(language, tree.root_node(), text, part);
            found.literals.extend(more.literals);
            found.lists.extend(more.lists);
            let members = members::of(language, (tree.root_node(), text), part, about.enumerations);
            found.members.extend(members);
        }
        found.names.extend(tables::classes(tree.root_node(), text, (&span, &parts)));
    }
    let members = members::of(language, (tree.root_node(), text), &span, about.enumerations);
    found.members.extend(members);
    found.keep_new(about.is_new);
    found.literals.retain(|literal| !about.stays(literal));
    let types = literals::types_around((file, language), tree.root_node(), (text, &span));
    let is_new = |line: usize| (about.is_new)(u32::try_from(line + 1).unwrap_or(u32::MAX));
    let new = types.into_iter().filter(|(_, line)| is_new(*line));
    found.names.extend(new.map(|(name, _)| (name, Vec::new())));
    let rounds = ways(&found, text, about.knows);
    let inside = |way: &Way| way.edits.iter().all(|e| e.from >= span.start && e.to <= span.end);
    let (mut own, around): (Vec<Way>, Vec<Way>) = rounds.into_iter().partition(inside);
    for edit in own.iter_mut().flat_map(|way| &mut way.edits) {
        edit.from -= span.start;
        edit.to -= span.start;
    }
    let variations = own.into_iter().take(MOST).map(|way| (way.variation, way.edits)).collect();
    let around = around.into_iter().take(MOST_AROUND).map(|way| {
        let Way { variation, edits, .. } = way;
        Around { variation, edits, module: None }
    });
    Some(Varying {
        around: around.collect(),
        inputs: shown(&found, false),
        expected: shown(&found, true),
        names: found.names.iter().map(|(name, _)| name.clone()).collect(),
        variations,
    })
}

/// The values that are given, or those that are expected.
fn shown(found: &Found, expected: bool) -> Vec<String> {
    let literals = found.literals.iter().filter(|l| l.expected == expected);
    let values: BTreeSet<String> = literals.map(|l| l.value.shown()).collect();
    values.into_iter().collect()
}

/// All ways in which what was found can be another, those first that say most.
fn ways(found: &Found, source: &str, knows: &dyn Fn(&str) -> bool) -> Vec<Way> {
    let (rounds, grouped) = (Vec::new(), BTreeSet::new());
    let mut made = Making { found, knows, rounds, grouped };
    // A value that the test or the change holds already says nothing: it may be another case of the same table.
    made.together();
    made.held();
    made.numbers();
    made.words();
    made.letters();
    made.shapes();
    made.lengths();
    made.names();
    made.members();
    made.orders(source);
    let mut rounds = made.rounds;
    // `..` has no other of its shape: what stays as it is asks nothing.
    let is_other = |edit: &Edit| source.get(edit.from..edit.to) != Some(edit.text.as_str());
    rounds.retain(|way| way.edits.iter().any(is_other));
    // All at once and what the change may know come first; of the others each one way before the second.
    let first = |v: &Variation| v.known || v.sort == Sort::Together;
    rounds.sort_by_key(|way| (way.round > 2 || !first(&way.variation), way.round));
    rounds
}

/// Whether a test file can stand there a second time under another name, with other values in it.
fn stands_beside(language: Language) -> bool {
    matches!(language, Language::Python | Language::Script(_))
}

struct Way {
    round: usize,
    variation: Variation,
    edits: Vec<Edit>,
}

struct Making<'a> {
    found: &'a literals::Found,
    knows: &'a dyn Fn(&str) -> bool,
    rounds: Vec<Way>,
    /// What is another together with others, and needs no way of its own.
    grouped: BTreeSet<String>,
}

impl Making<'_> {
    fn push(&mut self, round: usize, (sort, was, now): (Sort, &str, &str), edits: Vec<Edit>) {
        let is_of = |edit: &Edit, l: &Literal| l.range.start == edit.from;
        let literal = |edit: &Edit| self.found.literals.iter().find(|l| is_of(edit, l));
        // What is only expected is no input.
        let only_expected = edits.iter().all(|edit| literal(edit).is_some_and(|l| l.expected));
        if edits.is_empty() || only_expected || self.rounds.iter().any(|way| way.edits == edits) {
            return;
        }
        let inputs = edits.iter().filter_map(|e| Some((literal(e).filter(|l| !l.expected)?, e)));
        let given = inputs.map(|(literal, edit)| literal.read(&edit.text)).collect();
        let known = !was.is_empty() && (self.knows)(was);
        let (was, now) = (was.to_owned(), now.to_owned());
        let variation = Variation { sort, was, now, known, named: false, given, pairs: Vec::new() };
        self.rounds.push(Way { round, variation, edits });
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

    /// All that the test gives at once, in two ways; then all numbers, by a small step up and down, and all strings. Strings
    /// become others by their letters, so that what is expected goes along.
    fn together(&mut self) {
        for way in 0..2 {
            let next = |l: &Literal| match l.whole() {
                Some(n) => self.numbers_for(n).get(way).map(|(_, m)| m.to_string()),
                None => other::all(&l.value, way),
            };
            let edits = self.all(&|l| if l.expected { None } else { next(l) });
            self.push_several(way, "", edits);
        }
        // What divides a number divides its double: so a rule of that kind is met where no other number meets it.
        let double = |l: &Literal| l.whole().filter(|_| !l.expected).and_then(other::doubled);
        let edits = self.all(&|l| double(l).map(|n| n.to_string()));
        self.push_several(2, "", edits);
        for way in 0..2 {
            // A row that the test has already is no other input: all go so far that none of them is met.
            let far = |n: i128, steps: usize| (0..steps).fold(n, |n, _| other::stepped(n, way));
            let own = self.found.literals.iter().filter(|l| !l.expected && !l.is_edge());
            let own: Vec<i128> = own.filter_map(Literal::whole).collect();
            let steps = (1..=9).find(|steps| own.iter().all(|n| self.is_free(far(*n, *steps))));
            let steps = steps.unwrap_or(1);
            let step = |l: &Literal| match &l.value {
                Value::Whole(n) => Some(far(*n, steps).to_string()),
                Value::Float(x) => other::stepped_float(x, way),
                Value::String(_) | Value::Letter(_) => None,
            };
            let edits = self.all(&|l| if l.expected { None } else { step(l) });
            self.push(0, (Sort::Together, "", NUMBERS), edits);
            let edits = self.all(&|l| l.string().map(|text| other::shape(text, way)));
            self.push_several(way, STRINGS, edits);
        }
        let edits = self.all(&|l| l.string().map(other::longer));
        self.push_several(0, LONGER, edits);
    }

    /// Where there is one only, it is tried by its own name.
    fn push_several(&mut self, way: usize, what: &str, edits: Vec<Edit>) {
        if edits.len() > 1 {
            self.push(way, (Sort::Together, "", what), edits);
        }
    }

    /// What stands in the place of all literals that are no edge.
    fn all(&self, next: &dyn Fn(&Literal) -> Option<String>) -> Vec<Edit> {
        let literals = self.found.literals.iter().filter(|l| !l.is_edge());
        let written = |l: &Literal| {
            let (next, was) = (next(l)?, l.value.shown());
            (next != was).then(|| edit(l, l.written(&next)))
        };
        literals.filter_map(written).collect()
    }

    /// The words and numbers that the change holds, as many of them at once as do not stand in one line: so a long test is
    /// tried whole.
    fn held(&mut self) {
        let all = self.found.literals.iter().filter(|l| !l.is_edge());
        let of = |l: &Literal| -> Vec<String> {
            match &l.value {
                Value::String(text) => other::words(text).map(str::to_owned).collect(),
                number => vec![number.shown()],
            }
        };
        let mut places: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for literal in all {
            for word in of(literal).into_iter().filter(|word| (self.knows)(word)) {
                places.entry(word).or_default().insert(literal.line);
            }
        }
        let mut groups: Vec<(Vec<String>, BTreeSet<usize>)> = Vec::new();
        for (word, lines) in places {
            match groups.iter_mut().find(|(_, taken)| taken.is_disjoint(&lines)) {
                Some((words, taken)) => {
                    words.push(word);
                    taken.extend(lines);
                }
                None => groups.push((vec![word], lines)),
            }
        }
        for (words, _) in groups.into_iter().filter(|(words, _)| words.len() > 1) {
            for way in 0..3 {
                self.push_group(&words, way);
            }
            self.grouped.extend(words);
        }
    }

    fn push_group(&mut self, words: &[String], way: usize) {
        let next = |word: &String| -> Option<String> {
            match word.parse::<i128>() {
                Ok(n) => self.numbers_for(n).get(way).map(|(_, m)| m.unsigned_abs().to_string()),
                Err(_) if word.parse::<f64>().is_ok() => {
                    other::floats(word).get(way).map(|(_, y)| y.clone())
                }
                Err(_) => other::names(word).get(way).cloned(),
            }
        };
        let pairs: Vec<(String, String)> =
            words.iter().filter_map(|word| Some((word.clone(), next(word)?))).collect();
        // Each literal gets the words that are others in it.
        let mut edits: Vec<Edit> = Vec::new();
        for literal in &self.found.literals {
            let mut value = literal.value.shown();
            for (was, now) in &pairs {
                match &literal.value {
                    Value::String(_) => {
                        value = other::replaced(&value, was, now).unwrap_or(value);
                    }
                    number if number.shown() == *was => value.clone_from(now),
                    _ => {}
                }
            }
            if value != literal.value.shown() {
                edits.push(edit(literal, literal.written(&value)));
            }
        }
        let (was, now): (Vec<&str>, Vec<&str>) =
            pairs.iter().map(|(was, now)| (was.as_str(), now.as_str())).unzip();
        let count = self.rounds.len();
        self.push(way, (Sort::Word, &was.join(", "), &now.join(", ")), edits);
        if let Some(made) = self.rounds.get_mut(count) {
            made.variation.known = true;
            made.variation.pairs = pairs;
        }
    }

    /// Each number alone, wherever it stands, also as digits of a string.
    fn numbers(&mut self) {
        let numbers: BTreeSet<i128> =
            self.found.literals.iter().filter_map(Literal::whole).collect();
        for number in self.alone(numbers) {
            for (way, (sort, next)) in self.numbers_for(number).into_iter().enumerate() {
                let (was, now) = (number.to_string(), next.to_string());
                let edits = self.renamed(&was, &now);
                self.push(way, (sort, &was, &now), edits);
            }
        }
        let floats: BTreeSet<String> =
            self.found.literals.iter().filter_map(Literal::float).collect();
        for was in self.alone(floats) {
            let free = |y: &String| {
                let held = self.found.literals.iter().any(|l| l.float().as_ref() == Some(y));
                !held && !(self.knows)(y) && !(self.knows)(y.trim_end_matches(".0"))
            };
            let all = other::floats(&was).into_iter().filter(|(_, y)| free(y)).take(WAYS);
            for (way, (sort, now)) in all.collect::<Vec<_>>().into_iter().enumerate() {
                let edits = self.renamed(&was, &now);
                self.push(way, (sort, &was, &now), edits);
            }
        }
    }

    /// Each word of strings, through the whole test.
    fn words(&mut self) {
        let words: BTreeSet<&str> =
            self.found.literals.iter().filter_map(Literal::string).flat_map(other::words).collect();
        for was in self.alone(words) {
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
                for (way, (sort, next)) in self.numbers_for(number).into_iter().take(5).enumerate()
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
                let edits = same.map(|l| edit(l, l.written(&now))).collect();
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
                let edits = same.map(|l| edit(l, l.written(&now))).collect();
                self.push(way, (Sort::Shape, was, &now), edits);
            }
        }
    }

    fn lengths(&mut self) {
        for list in &self.found.lists {
            let less = put(list.last.start, list.last.end, "");
            self.push(0, (Sort::Length, "", "one less"), vec![less]);
            let more = put(list.last.end, list.last.end, list.more.clone());
            self.push(1, (Sort::Length, "", "one more"), vec![more]);
        }
    }

    fn names(&mut self) {
        for (name, places) in &self.found.names {
            // Another name from end to end: a part of it may be what is looked for.
            let now = other::name(name);
            let edits = places.iter().map(|at| put(at.start, at.end, now.clone())).collect();
            self.push(0, (Sort::Name, name, &now), edits);
        }
    }

    /// Those that are not others together with more of them.
    fn alone<T: ToString>(&self, all: BTreeSet<T>) -> Vec<T> {
        all.into_iter().filter(|one| !self.grouped.contains(&one.to_string())).collect()
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
            Some(edit(literal, written))
        };
        self.found.literals.iter().chain(&self.found.old).filter_map(one).collect()
    }
}

fn edit(literal: &Literal, text: String) -> Edit {
    put(literal.range.start, literal.range.end, text)
}

#[cfg(test)]
#[path = "vary/tests.rs"]
mod tests;
