//! Which value of an assertion is head's answer, which literals of a test are given and which are only expected, and what
//! head answers to all the rest where the base has no answer.

use super::fate::{Key, Pair, What, what};
use super::{Seen, seen};
use crate::observation::{END, Input, Row, Sort, Tables, Variation, Varied};
use std::collections::{BTreeMap, BTreeSet};

/// The inputs without those that are only expected: with another in its place no answer is another on either side, and what
/// it is held against is.
pub(super) fn given(varied: &Varied) -> Vec<Input> {
    let keys: Vec<Key> =
        varied.head.plain[0].iter().filter(|r| r.site != END).map(Row::key).collect();
    let sides: Vec<(Key, usize)> =
        keys.into_iter().map(|key| (key, answering(varied, key))).collect();
    let moved = |(plain, now): (&[Row], &[Row]), answers: bool| {
        let (plain, now) = (seen(plain), seen(now));
        sides.iter().any(|(key, side)| {
            let of = |rows: &Seen<'_>| {
                let row = rows.get(key)?;
                let at =
                    |(n, text): (usize, &String)| ((n == *side) == answers).then(|| text.clone());
                Some((
                    row.sides.iter().enumerate().filter_map(at).collect::<Vec<_>>(),
                    row.raised.clone(),
                ))
            };
            of(&plain) != of(&now)
        })
    };
    let only_expected = |input: &&Input| {
        let ways = varied.variations.iter().enumerate().filter(|(_, v)| v.was == input.value);
        let ways: Vec<usize> = ways.map(|(n, _)| n).collect();
        let on = |tables: &Tables, n: usize, answers: bool| {
            tables.varied.get(n).is_some_and(|now| moved((&tables.plain[0], now), answers))
        };
        let still = |n: &usize| !on(&varied.head, *n, true) && !on(&varied.base, *n, true);
        !ways.is_empty()
            && ways.iter().all(still)
            && ways.iter().any(|n| on(&varied.head, *n, false))
    };
    varied.inputs.iter().filter(|input| !only_expected(input)).cloned().collect()
}

/// Which value of an assertion is the answer, and which is what the test expects: the one that differs between base and
/// head, or else the one that moves as nobody foretold.
pub(super) fn answering(varied: &Varied, key: Key) -> usize {
    let (head, base) = (seen(&varied.head.plain[0]), seen(&varied.base.plain[0]));
    if let (What::Values(one), What::Values(other)) = (what(&head, key), what(&base, key)) {
        let differs = (0..one.len()).find(|n| other.get(*n).is_some_and(|b| *b != one[*n]));
        if let Some(side) = differs {
            return side;
        }
    }
    let none = Vec::new();
    let tables = varied.head.varied.iter().enumerate();
    let tables: Vec<Pair<'_>> = tables
        .map(|(n, rows)| (seen(rows), seen(varied.base.varied.get(n).unwrap_or(&none))))
        .collect();
    Fallback::of(key, &head, (varied, &tables)).answer
}

/// What head answers to other inputs, where the base has no answer to compare with.
#[derive(Default)]
pub(super) struct Fallback {
    /// Which side of the assertion is the answer: the one that other inputs move.
    pub(super) answer: usize,
    /// The answer to all other inputs, where it is one and another than the test's: what is there for the rest.
    pub(super) to_all: Option<String>,
    /// The same of a word that the change holds: the answer to all others in its place.
    to_word: BTreeMap<String, String>,
}

impl Fallback {
    pub(super) fn of_word(&self, was: &str) -> Option<&str> {
        self.to_word.get(was).map(String::as_str)
    }

    pub(super) fn of(key: Key, plain: &Seen<'_>, (varied, tables): (&Varied, &[Pair<'_>])) -> Self {
        let What::Values(was) = what(plain, key) else { return Self::default() };
        let others: Vec<(&Variation, &[String])> = varied
            .variations
            .iter()
            .zip(tables)
            .filter_map(|(variation, (head, _))| match what(head, key) {
                What::Values(now) => Some((variation, now)),
                _ => None,
            })
            .collect();
        // What is expected stands in the test: it stays, or is another by the very words that are others.
        let moves = |n: usize| {
            let foretold = |v: &Variation, side: &String| {
                v.sort == Sort::Together
                    || was.get(n).is_some_and(|old| side == old || *side == v.applied(old))
            };
            let sides = others.iter().filter_map(|(v, now)| Some((v, now.get(n)?)));
            sides.filter(|(v, side)| !foretold(v, side)).count()
        };
        let own = tables.iter().find_map(|(head, base)| lacking(head.get(&key)?, base.get(&key)?));
        let answer = own.unwrap_or(usize::from(was.len() > 1 && moves(1) > moves(0)));
        let sides = others.iter().filter_map(|(_, now)| now.get(answer));
        let changed: Vec<&String> = sides.filter(|side| Some(*side) != was.get(answer)).collect();
        let one: BTreeSet<&String> = changed.iter().copied().collect();
        let is_one = one.len() == 1 && changed.len() > 1;
        let mut words: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
        for (v, now) in others.iter().filter(|(v, _)| v.known && !v.was.is_empty()) {
            words.entry(&v.was).or_default().extend(now.get(answer));
        }
        let to_word = words.into_iter().filter_map(|(word, answers)| {
            let first = answers.first().filter(|first| Some(**first) != was.get(answer))?;
            let same = answers.len() >= super::ENOUGH && answers.iter().all(|a| a == first);
            let same = same && is_around(word, others.iter().map(|(v, _)| *v));
            same.then(|| (word.to_owned(), (*first).clone()))
        });
        let to_word = to_word.collect();
        Self { answer, to_all: one.into_iter().next().filter(|_| is_one).cloned(), to_word }
    }
}

/// Whether a number became both less and more; a word can't.
fn is_around<'v>(word: &str, all: impl Iterator<Item = &'v Variation>) -> bool {
    let (mut less, mut more) = (false, false);
    for v in all.filter(|v| v.was == word) {
        let one = [(v.was.clone(), v.now.clone())];
        let pairs = if v.pairs.is_empty() { one.as_slice() } else { &v.pairs };
        for (was, now) in pairs {
            let (Ok(was), Ok(now)) = (was.parse::<f64>(), now.parse::<f64>()) else { continue };
            less |= now < was;
            more |= now > was;
        }
    }
    less == more
}

/// Which of two values the base could not give: what it could is what is expected.
fn lacking(head: &Row, base: &Row) -> Option<usize> {
    let ([one, other], [there]) = (head.sides.as_slice(), base.sides.as_slice()) else {
        return None;
    };
    let own = usize::from(one == there);
    (base.raised.is_some() && one != other && [one, other].contains(&there)).then_some(own)
}
