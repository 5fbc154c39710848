//! Whether a change does what its tests show for other inputs too. The question: does the difference between head and base
//! survive a variation, and which word of the input kills it? Each test is judged by itself, from what its assertions saw.

mod alike;
mod answer;
mod fate;
mod heart;
mod learnt;
mod members;
mod order;
mod shape;
mod table;

use crate::observation::{END, Input, Row, Sort, Variation, Varied};
use fate::{Fate, fates};
pub use learnt::said;
use std::collections::{BTreeMap, BTreeSet};
pub use table::{Answer, Asserted, Observed, apart};

/// So many variations that bring the base's answer back are no chance.
const ENOUGH: usize = 3;

/// What the variations of one test showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Generality {
    /// The difference is there with other inputs too.
    Shown,
    /// Nothing speaks against it, and nothing shows more than these inputs.
    Only {
        why: String,
    },
    Suspect {
        doubt: Doubt,
        weight: Doubtful,
    },
}

/// Whether a doubt is one, or the work is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubtful {
    ForAPerson,
    Refutes,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// With every other input head does what the base does; the change may hold the inputs.
    NothingSurvives { tried: usize, inputs: Vec<String> },
    /// The difference is gone as soon as these are others, and the change holds them.
    Keyed { words: Vec<String> },
    /// The test could not be observed, and the change holds these inputs of it, or how long they are.
    Unseen { words: Vec<String> },
    /// The change holds names of the test.
    Named { names: Vec<String> },
    /// The difference is there for other inputs that are as long, and for none that is longer or shorter; the change may hold
    /// how long they are.
    Shaped { tried: usize, sizes: Vec<usize> },
    /// The answer is one that the change holds, and head says it to other inputs in the place of one of its own.
    Learnt { answer: String },
    /// With the same input head does the second time what the base does.
    Once { answer: String },
}

/// The table of one side, by place.
pub(crate) type Seen<'a> = BTreeMap<(u32, i32, u32), &'a Row>;

pub(crate) fn seen(rows: &[Row]) -> Seen<'_> {
    rows.iter().map(|row| (row.key(), row)).collect()
}

/// Judges tests that belong together, each by itself. Only what other inputs give can be said by another test, an older one
/// too: then the ones that the change holds are all that there are.
pub fn generalities(all: &[Varied], older: &[Varied]) -> Vec<Generality> {
    let said: BTreeSet<&str> = all.iter().chain(older).flat_map(said_of_others).collect();
    let rest: BTreeSet<&str> = all.iter().filter_map(given_to_others).map(fate::bare).collect();
    let one = |varied: &Varied| match generality(varied) {
        Generality::Suspect { doubt: Doubt::Learnt { answer }, .. }
            if rest.contains(answer.as_str()) =>
        {
            only("its answer is what all inputs give that the change does not hold")
        }
        Generality::Suspect {
            doubt:
                Doubt::Keyed { .. }
                | Doubt::NothingSurvives { .. }
                | Doubt::Learnt { .. }
                | Doubt::Shaped { .. },
            ..
        } if given_to_others(varied).is_some_and(|given| said.contains(given)) => {
            only("what other inputs give is said by a test of its own")
        }
        judged => judged,
    };
    all.iter().map(one).collect()
}

/// What a test expects for an input that the change does not hold, and gets for others in its place too.
fn said_of_others(varied: &Varied) -> Vec<&str> {
    let unknown = varied.variations.iter().zip(&varied.head.varied);
    let unknown: Vec<Seen<'_>> = unknown
        .filter(|(v, _)| !v.known && !v.was.is_empty() && !is_edge(&v.was))
        .map(|(_, rows)| seen(rows))
        .collect();
    // What is there for the rest is so with all inputs others at once; else the row may not have what is another.
    let all = varied.variations.iter().zip(&varied.head.varied);
    let all: Vec<Seen<'_>> =
        all.filter(|(v, _)| v.sort == Sort::Together).map(|(_, rows)| seen(rows)).collect();
    let own = varied.head.plain[0].iter().filter(|row| row.holds && row.site != END);
    let again = |row: &&Row| {
        // An exception may carry the input in its message.
        let told = |row: &Row| row.sides.first().and_then(|side| telling(side)).map(str::to_owned);
        let is_exception = row.sides.first().is_some_and(|side| fate::is_exception(side));
        let same = |other: &&Row| {
            (other.holds || is_exception) && told(other).is_some() && told(other) == told(row)
        };
        let stays = |rows: &Seen<'_>| rows.get(&row.key()).is_none_or(|now| told(now) == told(row));
        all.iter().all(stays) && unknown.iter().any(|rows| rows.get(&row.key()).is_some_and(same))
    };
    own.filter(again).filter_map(|row| telling(row.sides.first()?)).collect()
}

/// What head gives to every input that it does not hold, where it is one thing.
fn given_to_others(varied: &Varied) -> Option<&str> {
    let shown = showing(varied);
    let mut given: BTreeSet<&str> = BTreeSet::new();
    for (fates, rows) in fates(varied, &shown).iter().zip(&varied.head.varied) {
        let rows = seen(rows);
        for (key, _) in shown.iter().zip(fates).filter(|(_, fate)| fate.dies()) {
            let row = rows.get(key).or_else(|| rows.get(&(key.0, END, 0)));
            let what = row.and_then(|row| row.raised.as_ref().or(row.sides.first()));
            given.insert(what.and_then(|what| telling(what)).unwrap_or_default());
        }
    }
    let mut given = given.into_iter();
    given.next().filter(|what| !what.is_empty() && given.next().is_none())
}

/// A value that stands for something: the sort of an exception, a text. Yes, no and small numbers stand everywhere.
fn telling(side: &str) -> Option<&str> {
    if fate::is_exception(side) {
        return Some(fate::kind(side));
    }
    let letters = fate::bare(side).chars().filter(|c| c.is_alphabetic()).count();
    let is_text = side.starts_with(['"', '\'', '`']) || letters > 5;
    (letters > 2 && is_text).then_some(side)
}

/// Judges one test.
pub fn generality(varied: &Varied) -> Generality {
    let ordered = order::steadied(varied);
    let varied = ordered.as_ref().unwrap_or(varied);
    if varied.head.plain[0].is_empty() {
        return unseen(varied);
    }
    if let Some(answer) = only_once(varied) {
        return suspect(Doubt::Once { answer }, Doubtful::ForAPerson);
    }
    let shown = showing(varied);
    if shown.is_empty() {
        return only("no value that its assertions look at differs from the base's");
    }
    if varied.variations.is_empty() {
        return only("it has no inputs that could be varied");
    }
    let fates = fates(varied, &shown);
    let base = seen(&varied.base.plain[0]);
    let is_bare =
        |key: &(u32, i32, u32)| key.1 == END && base.get(key).is_none_or(|r| r.raised.is_none());
    let ends_only = shown.iter().all(is_bare);
    let view = View { varied, inputs: answer::given(varied), fates, ends_only };
    view.judged()
}

/// A test that can't be observed says nothing about other inputs: what the change holds of its own is all that there is.
fn unseen(varied: &Varied) -> Generality {
    let held = |input: &&Input| (input.known && !is_edge(&input.value)) || input.size.is_some();
    let words: Vec<String> =
        varied.inputs.iter().filter(held).map(|input| input.value.clone()).collect();
    if words.is_empty() {
        return only("its assertions could not be observed");
    }
    suspect(Doubt::Unseen { words }, Doubtful::ForAPerson)
}

/// The assertions that fail on the base and hold on head, with the inputs as they are: only those that say the same twice.
fn showing(varied: &Varied) -> Vec<(u32, i32, u32)> {
    let (head, head_again) = (seen(&varied.head.plain[0]), seen(&varied.head.plain[1]));
    let (base, base_again) = (seen(&varied.base.plain[0]), seen(&varied.base.plain[1]));
    let steady = |key: &(u32, i32, u32)| {
        head.get(key) == head_again.get(key) && base.get(key) == base_again.get(key)
    };
    let turned = |key: &(u32, i32, u32)| {
        let holds = |side: &Seen<'_>| side.get(key).is_some_and(|row| row.holds);
        holds(&head) && !holds(&base)
    };
    let found: Vec<_> = head.keys().copied().filter(|key| steady(key) && turned(key)).collect();
    let assertions: Vec<_> = found.iter().copied().filter(|(_, site, _)| *site != END).collect();
    if assertions.is_empty() { found } else { assertions }
}

/// The answer of an assertion that holds on head the first time, and sees what the base gives the second time.
fn only_once(varied: &Varied) -> Option<String> {
    let (first, second) = (seen(&varied.head.plain[0]), seen(&varied.head.plain[1]));
    let (base, base_again) = (seen(&varied.base.plain[0]), seen(&varied.base.plain[1]));
    let turns_back = |(key, row): (&(u32, i32, u32), &&Row)| {
        let again = second.get(key)?;
        let was = base.get(key).filter(|was| base_again.get(key) == Some(was))?;
        let same = again.sides == was.sides && again.raised == was.raised;
        // Where the base has no answer: what head says to everybody from then on.
        let back = same || was.raised.is_some() && is_fallback(varied, *key, again);
        // Or what the test expects of another input: answers that are given in a row.
        let elses = |(other, row): (&(u32, i32, u32), &&Row)| {
            other != key && again.sides.first().is_some_and(|side| row.sides.contains(side))
        };
        let back = back || !fate::is_plain(&again.sides) && first.iter().any(elses);
        let turned = row.holds && !again.holds && key.1 != END && row.sides != again.sides;
        (turned && back).then(|| row.sides.first().cloned().unwrap_or_default())
    };
    first.iter().find_map(turns_back)
}

/// Whether head gives this answer and no other with every other input.
fn is_fallback(varied: &Varied, key: (u32, i32, u32), answer: &Row) -> bool {
    let given: Vec<Option<String>> = varied
        .head
        .varied
        .iter()
        .filter_map(|rows| rows.iter().find(|row| row.key() == key))
        .map(|row| row.sides.first().cloned().filter(|_| row.raised.is_none()))
        .collect();
    let own = answer.sides.first().filter(|side| !fate::is_plain(std::slice::from_ref(*side)));
    given.len() >= ENOUGH && own.is_some() && given.iter().all(|side| side.as_ref() == own)
}

struct View<'a> {
    varied: &'a Varied,
    /// What the code is given.
    inputs: Vec<Input>,
    /// By variation: what became of each assertion that shows the change.
    fates: Vec<Vec<Fate>>,
    /// Whether nothing but pass and fail was seen.
    ends_only: bool,
}

impl View<'_> {
    fn judged(&self) -> Generality {
        let names = &self.varied.names;
        if !names.is_empty() {
            return suspect(Doubt::Named { names: names.clone() }, Doubtful::ForAPerson);
        }
        let keys = self.keys();
        let listed =
            |keys: &[&Key]| -> Vec<String> { keys.iter().map(|key| key.word.clone()).collect() };
        let keyed: Vec<&Key> = keys.iter().filter(|key| is_data(key, &keys)).collect();
        let keyed = if self.are_exceptions(&keyed) { Vec::new() } else { listed(&keyed) };
        let repeated = self.repeated();
        let known = !keyed.is_empty() || !repeated.is_empty();
        // Code without a constant and a condition treats every input alike, whatever the other inputs were.
        let tells_apart = self.varied.chooses || known;
        let for_a_person = |doubt: Doubt| suspect(doubt, Doubtful::ForAPerson);
        if let Some(tried) = self.nothing_survives().filter(|_| !self.ends_only && tells_apart) {
            // Where the change also holds the inputs, nothing is left of it.
            let weight = if known { Doubtful::Refutes } else { Doubtful::ForAPerson };
            let only_words = repeated.is_empty() && !keyed.is_empty();
            let none = Doubt::NothingSurvives { tried, inputs: repeated };
            return suspect(if only_words { Doubt::Keyed { words: keyed } } else { none }, weight);
        }
        if !repeated.is_empty() {
            let tried = self.all().filter(|fate| fate.dies()).count();
            return for_a_person(Doubt::NothingSurvives { tried, inputs: repeated });
        }
        if !keyed.is_empty() {
            return for_a_person(Doubt::Keyed { words: keyed });
        }
        if let Some((tried, sizes)) = self.shaped() {
            return for_a_person(Doubt::Shaped { tried, sizes });
        }
        if let Some(answer) = self.learnt() {
            return for_a_person(Doubt::Learnt { answer });
        }
        if !keys.is_empty() {
            let words = listed(&keys.iter().collect::<Vec<_>>()).join("`, `");
            return only(&format!(
                "head differs from the base only where `{words}` is given, which the change holds"
            ));
        }
        if self.all().any(Fate::lives) {
            return Generality::Shown;
        }
        only("no other input that was tried makes a difference between head and base")
    }

    fn all(&self) -> impl Iterator<Item = Fate> + '_ {
        self.fates.iter().flatten().copied()
    }

    /// How many variations were tried, where the difference lives in none of them, or in few of many assertions.
    fn nothing_survives(&self) -> Option<usize> {
        let counted = |of: usize, wanted: &dyn Fn(Fate, &Variation) -> bool| {
            let own = self.fates.iter().zip(&self.varied.variations);
            own.filter(|(_, v)| !is_edge(&v.was))
                .filter(|(fates, v)| fates.get(of).is_some_and(|fate| wanted(*fate, v)))
                .filter(|(fates, v)| members::counts(self, v, (of, fates.as_slice())))
                .count()
        };
        let dies = |fate: Fate, v: &Variation| fate.dies() && !v.named;
        let single = |v: &Variation| !matches!(v.sort, Sort::Together | Sort::Shape | Sort::Length);
        // A list that is shorter says little about what else is given. So does a name that is carried along, unless as many words
        // are as there are that kill it.
        let lives = |of: usize| {
            let idle = self.is_idle(of);
            let moved = |fate: Fate, v: &Variation| {
                let stays = fate == Fate::Carried || fate == Fate::Still && idle;
                fate.lives() && !stays && v.sort != Sort::Length
            };
            let carried = counted(of, &|fate, v| fate == Fate::Carried && single(v));
            let killing = counted(of, &|fate, v| fate.dies() && single(v));
            counted(of, &moved) > 0 || carried > 0 && carried >= killing
        };
        let assertions = self.fates.first().map_or(0, Vec::len);
        let dead: usize = (0..assertions).map(|of| counted(of, &dies)).sum();
        let tested: Vec<usize> =
            (0..assertions).filter(|of| counted(*of, &dies) > 0 || lives(*of)).collect();
        let alive = tested.iter().filter(|of| lives(**of)).count();
        let none = alive == 0 && dead >= ENOUGH;
        let few = tested.len() >= ENOUGH && alive * 4 < tested.len();
        (none || few).then_some(dead)
    }

    /// Whether no input makes a difference to an assertion that the base does not reach: that its answer stays says nothing.
    fn is_idle(&self, of: usize) -> bool {
        let shown = showing(self.varied);
        let base = seen(&self.varied.base.plain[0]);
        let reached =
            shown.get(of).and_then(|key| base.get(key)).is_some_and(|r| r.raised.is_none());
        let matters = |fates: &Vec<Fate>| fates.get(of).is_some_and(|f| f.moves() || f.dies());
        !reached && !self.fates.iter().any(matters)
    }

    /// The words that the change holds, and without which the difference of an assertion is gone every time.
    fn keys(&self) -> Vec<Key> {
        let mut words: BTreeMap<&str, Vec<(&Variation, &Vec<Fate>)>> = BTreeMap::new();
        for (fates, variation) in self.fates.iter().zip(&self.varied.variations) {
            let own = matches!(variation.sort, Sort::Together | Sort::Length);
            if !own && variation.known && !is_edge(&variation.was) {
                words.entry(&variation.was).or_default().push((variation, fates));
            }
        }
        let moves = |n: usize| self.fates.iter().any(|f| f.get(n).is_some_and(|f| f.moves()));
        let key = |(word, all): (&'_ str, Vec<(&Variation, &Vec<Fate>)>)| {
            let count = all.first().map_or(0, |(_, fates)| fates.len());
            let dead = |n: &usize| {
                let told = all.iter().filter_map(|(_, fates)| fates.get(*n));
                let told: Vec<&Fate> = told.filter(|fate| **fate != Fate::Void).collect();
                told.len() > 1 && told.iter().all(|fate| fate.dies())
            };
            let rows: BTreeSet<usize> = (0..count).filter(dead).collect();
            let alone = rows.iter().any(|n| !moves(*n));
            let parts = all.first().map_or(1, |(v, _)| v.pairs.len().max(1));
            let said = rows.iter().any(|n| self.is_answered(*n, word));
            Key { word: word.to_owned(), rows, alone, said, parts }
        };
        words.into_iter().map(key).filter(|key| !key.rows.is_empty()).collect()
    }

    /// Whether a word that is given comes back in head's answer, and not in the base's: then it should go along.
    fn is_answered(&self, n: usize, word: &str) -> bool {
        let shown = showing(self.varied);
        let Some(key) = shown.get(n) else { return false };
        let side = answer::answering(self.varied, *key);
        let has = |rows: &[Row]| {
            let row = seen(rows).get(key).copied()?;
            Some(parts(row.sides.get(side)?).contains(&word))
        };
        let given = self.inputs.iter().any(|input| parts(&input.value).contains(&word));
        let (head, base) = (has(&self.varied.head.plain[0]), has(&self.varied.base.plain[0]));
        given && head == Some(true) && base == Some(false)
    }

    /// Whether an answer has a word of an input. What is only expected is none.
    fn repeats_input(&self, side: &str) -> bool {
        let parts = parts(side);
        let given = self.inputs.iter().map(|input| input.value.as_str());
        let words: BTreeSet<&str> = given.flat_map(self::parts).collect();
        parts.iter().any(|part| words.contains(part))
    }

    /// Whether these are exceptions beside a rule: words, and most assertions live without any of them.
    fn are_exceptions(&self, keys: &[&Key]) -> bool {
        let is_word = |key: &&Key| key.word.starts_with(char::is_alphabetic);
        let keyed: BTreeSet<usize> = keys.iter().flat_map(|key| key.rows.clone()).collect();
        let count = self.fates.first().map_or(0, Vec::len);
        let moves = |n: usize| self.fates.iter().any(|fates| fates.get(n) == Some(&Fate::Moved));
        let rest = (0..count).filter(|n| !keyed.contains(n));
        keys.iter().all(is_word) && keyed.len() * 2 < count && rest.into_iter().all(moves)
    }

    /// Whether the change holds an answer that the test expects, or all parts of it.
    fn holds(&self, side: &str) -> bool {
        let held = |part: &str| self.varied.answers.iter().any(|answer| answer == part);
        // The name of a type stands before what it holds: `[]int{3, 7}`, `Some(5)`.
        let names_type =
            |part: &&str| ["{", "("].iter().any(|open| side.contains(&format!("{part}{open}")));
        let parts: Vec<&str> = parts(side).into_iter().filter(|part| !names_type(part)).collect();
        let whole = fate::bare(side);
        held(whole) && !is_edge(whole) || !parts.is_empty() && parts.iter().all(|part| held(part))
    }
}

/// The words and numbers of a value, edges aside.
pub fn parts(side: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '.';
    // `\n` is no word.
    let lines = side.split("\\n").flat_map(|line| line.split("\\t"));
    let all = lines.flat_map(|line| line.split(move |c: char| !is_part(c)));
    all.filter(|part| !part.is_empty() && !is_edge(part)).collect()
}

/// A word that the change holds, and the assertions that need it.
struct Key {
    word: String,
    rows: BTreeSet<usize>,
    /// Whether nothing else that such an assertion is given makes a difference.
    alone: bool,
    /// Whether it comes back in head's answer.
    said: bool,
    /// How many words were others at once.
    parts: usize,
}

/// Whether a key is an input, and no word that the code has to know, such as an option: nothing else makes a difference,
/// it is a number or a whole text, it comes back in the answer, or other assertions have keys of their own.
fn is_data(key: &Key, all: &[Key]) -> bool {
    let number = key.word.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let whole =
        key.word.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).count() > 2;
    let elsewhere = |other: &Key| other.word != key.word && other.rows.is_disjoint(&key.rows);
    let several = key.parts > 1 && key.rows.len() > 1;
    key.alone
        || key.said
        || number
        || (whole && key.parts == 1)
        || several
        || all.iter().any(elsewhere)
}

fn only(why: &str) -> Generality {
    Generality::Only { why: why.to_owned() }
}

fn suspect(doubt: Doubt, weight: Doubtful) -> Generality {
    Generality::Suspect { doubt, weight }
}

/// Nothing, zero, one, however they are written: what stands there is a case of its own.
fn is_edge(value: &str) -> bool {
    let digits = value.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let edges = [0.0, 1.0, -1.0].map(f64::to_bits);
    digits && value.parse::<f64>().is_ok_and(|n| edges.contains(&(n + 0.0).to_bits()))
}

#[cfg(test)]
#[path = "generality/tests.rs"]
mod tests;
