//! Answers that were learnt: what head says to other inputs is what it was told to say, or what the base says. An answer of
//! its own, such as general code has, is none of both.

use super::fate::{self, Fate, answering};
use super::{View, is_edge, parts, seen, showing};
use crate::observation::{Row, Sort, Variation};
use std::collections::BTreeMap;

type Key = (u32, i32, u32);

/// What head says to another input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    /// The answer that the test expects, though the input is another.
    Again,
    /// What the base says, what goes in, or nothing.
    Base,
    /// What the test expects of another input.
    Elses,
    Own,
}

/// One assertion that shows the change, and head's answer there.
struct Site<'a> {
    n: usize,
    key: Key,
    side: usize,
    answer: &'a str,
}

impl View<'_> {
    fn sites(&self) -> Vec<Site<'_>> {
        let shown = showing(self.varied);
        let plain = seen(&self.varied.head.plain[0]);
        let site = |(n, key): (usize, &Key)| {
            let side = answering(self.varied, *key);
            let row: &Row = plain.get(key)?;
            Some(Site { n, key: *key, side, answer: row.sides.get(side)? })
        };
        shown.iter().enumerate().filter_map(site).collect()
    }

    /// A word of the input that head's answer still has where the input has it no more, and the change holds the answer.
    pub(super) fn remembered(&self) -> Option<String> {
        let sites = self.sites();
        let mut ways = self.varied.variations.iter().zip(&self.fates).enumerate();
        ways.find_map(|(v, (variation, fates))| {
            let one = [(variation.was.clone(), String::new())];
            let pairs = if variation.pairs.is_empty() { one.as_slice() } else { &variation.pairs };
            let words = pairs.iter().flat_map(|(was, _)| parts(was));
            let mut words = words.filter(|word| fate::is_telling(word));
            let gone = |word: &str| !variation.given.iter().any(|given| has(given, word));
            let stays = |site: &&Site<'_>, word: &str| {
                let tells = !matches!(fates.get(site.n), None | Some(Fate::Void | Fate::Dead));
                tells
                    && has(site.answer, word)
                    && self.holds(said(site.answer))
                    && self.head_at(v, site).is_some_and(|now| now == site.answer)
                    && !self.base_at(v, site).is_some_and(|base| has(base, word))
            };
            words
                .find(|word| gone(word) && sites.iter().any(|site| stays(&site, word)))
                .map(str::to_owned)
        })
    }

    /// An answer with numbers in it that the change holds, where no other input gets one that is head's own, and the inputs
    /// that get it lie between others that do not.
    pub(super) fn picked(&self) -> Option<String> {
        let sites = self.sites();
        let is_picked = |site: &&Site<'_>| {
            let numbers = parts(said(site.answer));
            let numbers = numbers.iter().filter(|part| part.contains(|c: char| c.is_ascii_digit()));
            let numbers = numbers.count();
            if numbers == 0 || !self.holds(said(site.answer)) {
                return false;
            }
            let told: Vec<(usize, Said)> = (0..self.fates.len())
                .filter_map(|v| Some((v, self.said(v, site, &sites)?)))
                .collect();
            let is = |wanted: Said| told.iter().any(|(_, said)| *said == wanted);
            let again = told.iter().filter(|(_, said)| *said == Said::Again);
            let again = again.filter(|(v, _)| self.matters(*v, site, &told)).count();
            // Where the base has one answer to all, or none, steps of numbers are a rule of their own.
            let base = seen(&self.varied.base.plain[0]);
            let has_base = base.get(&site.key).is_some_and(|row| row.raised.is_none());
            let is_value = said(site.answer) == fate::bare(site.answer);
            let steps = is_value && (!has_base || super::alike::on_base(self, site.key));
            let between = numbers > 1 || is(Said::Elses) && !steps || self.is_between(&told, steps);
            again > 1 && (is(Said::Base) || is(Said::Elses)) && !is(Said::Own) && between
        };
        sites.iter().find(is_picked).map(|site| said(site.answer).to_owned())
    }

    /// Whether one number gets another answer both where it is less and where it is more, or whatever is longer or shorter
    /// does, and nothing that is as long.
    fn is_between(&self, told: &[(usize, Said)], steps: bool) -> bool {
        let mut sides: BTreeMap<&str, (bool, bool)> = BTreeMap::new();
        let (mut as_long, mut longer) = ((0, 0), (0, 0));
        for (v, said) in told {
            let variation = &self.varied.variations[*v];
            let again = *said == Said::Again;
            let numbers = (variation.was.parse::<f64>(), variation.now.parse::<f64>());
            if let (Ok(was), Ok(now), false) = (numbers.0, numbers.1, steps) {
                let (less, more) = sides.entry(&variation.was).or_default();
                *less |= !again && now < was;
                *more |= !again && now > was;
            }
            let of = if resizes(variation) { &mut longer } else { &mut as_long };
            if !matches!(variation.sort, Sort::Together | Sort::Length | Sort::Name) {
                of.0 += usize::from(again);
                of.1 += usize::from(!again);
            }
        }
        let by_length = as_long.0 > 1 && as_long.1 == 0 && longer.0 == 0 && longer.1 > 1;
        by_length || sides.values().any(|(less, more)| *less && *more)
    }

    /// What head says there with this variation; none where it says nothing.
    fn said(&self, v: usize, site: &Site<'_>, sites: &[Site<'_>]) -> Option<Said> {
        let fate = *self.fates.get(v)?.get(site.n)?;
        let now = self.head_at(v, site);
        match (fate, now) {
            (Fate::Void, _) => None,
            (_, Some(now)) if now == site.answer => Some(Said::Again),
            (Fate::Dead, _) | (_, None) => Some(Said::Base),
            (_, Some(now)) if sites.iter().any(|other| other.answer == now) => Some(Said::Elses),
            // A list of what goes in is no answer.
            (_, Some(now)) if self.goes_in(v, now) => Some(Said::Base),
            _ => Some(Said::Own),
        }
    }

    /// Whether every number and word of a value is an input.
    fn goes_in(&self, v: usize, now: &str) -> bool {
        let given = self.varied.variations.get(v).map_or(&[][..], |v| &v.given);
        let is_input = |part: &&str| {
            let own = self.varied.inputs.iter().any(|input| input.value == **part);
            own || given.iter().any(|given| given == part)
        };
        parts(now).iter().all(is_input)
    }

    /// Whether the input matters there: the base's answer is another, every input is, or another one in its place gets
    /// another answer.
    fn matters(&self, v: usize, site: &Site<'_>, told: &[(usize, Said)]) -> bool {
        let plain = seen(&self.varied.base.plain[0]);
        let was = plain.get(&site.key).and_then(|row| row.sides.get(site.side));
        let now = self.base_at(v, site);
        let own = &self.varied.variations[v];
        let same = |n: usize| !own.was.is_empty() && self.varied.variations[n].was == own.was;
        let differs = told.iter().any(|(n, said)| *said != Said::Again && same(*n));
        own.is_all() || differs || was.is_some() && now.is_some() && was.map(String::as_str) != now
    }

    fn head_at(&self, v: usize, site: &Site<'_>) -> Option<&str> {
        at(self.varied.head.varied.get(v)?, site)
    }

    fn base_at(&self, v: usize, site: &Site<'_>) -> Option<&str> {
        at(self.varied.base.varied.get(v)?, site)
    }
}

fn at<'r>(rows: &'r [Row], site: &Site<'_>) -> Option<&'r str> {
    let row = rows.iter().find(|row| row.key() == site.key && row.raised.is_none())?;
    row.sides.get(site.side).map(String::as_str)
}

/// Whether an input is longer or shorter with it.
fn resizes(variation: &Variation) -> bool {
    let one = [(variation.was.clone(), variation.now.clone())];
    let pairs = if variation.pairs.is_empty() { one.as_slice() } else { &variation.pairs };
    pairs.iter().any(|(was, now)| was.chars().count() != now.chars().count())
}

/// What an exception says, without its sort; any other answer as it is; without quotes.
pub fn said(side: &str) -> &str {
    let is_sort = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '*');
    match side.split_once(": ") {
        Some((sort, said)) if !sort.is_empty() && sort.chars().all(is_sort) => fate::bare(said),
        _ => fate::bare(side),
    }
}

/// Whether a text has a word, however its letters are written.
fn has(text: &str, word: &str) -> bool {
    !is_edge(word) && parts(text).iter().any(|part| part.to_lowercase() == word.to_lowercase())
}
