//! Whether head's answer follows the input. What it says to another input is its own where it differs from what the base says
//! and has a word or number that no answer has which the test expects; all else is the base's, or was learnt.

use super::alike;
use super::answer::answering;
use super::fate::{self, Fate};
use super::{View, is_edge, parts, seen, showing};
use crate::observation::{LONGER, NUMBERS, Row, Sort, Variation};
use std::collections::{BTreeMap, BTreeSet};

type Key = (u32, i32, u32);

/// What head says to another input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    /// The answer that the test expects, though the input is another.
    Again,
    /// What the base says, what goes in, or nothing.
    Base,
    /// What the test expects of another input, or parts of that.
    Elses,
    Own,
}

/// One assertion that shows the change, and head's answer there.
pub(super) struct Site<'a> {
    pub(super) n: usize,
    key: Key,
    side: usize,
    pub(super) answer: &'a str,
}

impl View<'_> {
    pub(super) fn sites(&self) -> Vec<Site<'_>> {
        let shown = showing(self.varied);
        let plain = seen(&self.varied.head.plain[0]);
        let site = |(n, key): (usize, &Key)| {
            let side = answering(self.varied, *key);
            let row: &Row = plain.get(key)?;
            Some(Site { n, key: *key, side, answer: row.sides.get(side)? })
        };
        shown.iter().enumerate().filter_map(site).collect()
    }

    /// An answer that comes back for other inputs, and that no general code would give them: the change holds it, or gives it to all.
    pub(super) fn learnt(&self) -> Option<String> {
        let sites = self.sites();
        let held = |site: &&Site<'_>| self.holds(said(site.answer));
        let is_learnt = |site: &&Site<'_>| {
            alike::to_all(self, site.n, site.key)
                || held(site) && (self.remembers(site) || self.has_no_own(site, &sites))
        };
        sites.iter().find(is_learnt).map(|site| said(site.answer).to_owned())
    }

    /// Whether an answer still has a word of the input where the input has it no more.
    fn remembers(&self, site: &Site<'_>) -> bool {
        let ways = self.varied.variations.iter().zip(&self.fates).enumerate();
        ways.into_iter().any(|(v, (variation, fates))| {
            let tells = !matches!(fates.get(site.n), None | Some(Fate::Void | Fate::Dead));
            let stays = tells && self.head_at(v, site).is_some_and(|now| now == site.answer);
            let one = [(variation.was.clone(), String::new())];
            let pairs = if variation.pairs.is_empty() { one.as_slice() } else { &variation.pairs };
            let words = pairs.iter().flat_map(|(was, _)| parts(was));
            let gone = |word: &str| !variation.given.iter().any(|given| has(given, word));
            let kept = |word: &str| {
                has(site.answer, word) && !self.base_at(v, site).is_some_and(|base| has(base, word))
            };
            let mut words = words.filter(|word| fate::is_telling(word));
            stays && !variation.named && words.any(|word| gone(word) && kept(word))
        })
    }

    /// Whether no other input gets an answer of head's own, and those that get this one again have nothing in common that a
    /// rule could ask for.
    fn has_no_own(&self, site: &Site<'_>, sites: &[Site<'_>]) -> bool {
        let told: Vec<(usize, Said)> =
            (0..self.fates.len()).filter_map(|v| Some((v, self.said(v, site, sites)?))).collect();
        let is = |wanted: Said| told.iter().any(|(_, said)| *said == wanted);
        if is(Said::Own) {
            return false;
        }
        let is_value = said(site.answer) == fate::bare(site.answer);
        if !is(Said::Base) && !is(Said::Elses) {
            // Where the base says it too, it is no other answer.
            let again = told.iter().filter(|(v, _)| {
                let fate = self.fates.get(*v).and_then(|fates| fates.get(site.n));
                fate != Some(&Fate::Dead) && (sites.len() == 1 || self.matters(*v, site, &told))
            });
            // Where the input matters to nobody, it does not stand in the answer either.
            return is_value
                && again.count() > 1
                && !fate::is_plain(&[site.answer.to_owned()])
                && (!alike::on_base(self, site.key) || self.repeats_input(site.answer));
        }
        let numbers = parts(said(site.answer));
        let numbers = numbers.iter().filter(|part| part.contains(|c: char| c.is_ascii_digit()));
        let numbers = numbers.count();
        // Where the base has one answer to all, or none, steps of numbers are a rule of their own.
        let base = seen(&self.varied.base.plain[0]);
        let has_base = base.get(&site.key).is_some_and(|row| row.raised.is_none());
        let steps = is_value && (!has_base || alike::on_base(self, site.key));
        let between = || is(Said::Elses) && !steps || self.is_between(&told, steps);
        // Where all numbers are others, those of an answer with several are not.
        let stepped = |v: usize| numbers > 1 && self.varied.variations[v].now == NUMBERS;
        let again = told.iter().filter(|(v, said)| {
            *said == Said::Again && (stepped(*v) || self.matters(*v, site, &told))
        });
        let again = again.count();
        again > 1 && (numbers > 1 || numbers == 1 && between())
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
            let letters = variation.sort != Sort::Together || is_of_text(variation);
            if letters && !matches!(variation.sort, Sort::Length | Sort::Name) {
                of.0 += usize::from(again);
                of.1 += usize::from(!again);
            }
        }
        let apart = as_long.1 == 0 && longer.0 == 0 && as_long.0.min(longer.1) > 0;
        let by_length = apart && as_long.0 > 1 && as_long.0 + longer.1 > 3;
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
            (_, Some(now)) if is_made_of(now, sites) => Some(Said::Elses),
            // A list of what goes in is no answer.
            (_, Some(now)) if self.goes_in(v, now) => Some(Said::Base),
            _ => Some(Said::Own),
        }
    }

    /// Whether every number and word of a value is an input.
    fn goes_in(&self, v: usize, now: &str) -> bool {
        let given = self.varied.variations.get(v).map_or(&[][..], |v| &v.given);
        let is_input = |part: &&str| {
            let own = self.inputs.iter().any(|input| input.value == **part);
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

    pub(super) fn head_at(&self, v: usize, site: &Site<'_>) -> Option<&str> {
        at(self.varied.head.varied.get(v)?, site)
    }

    fn base_at(&self, v: usize, site: &Site<'_>) -> Option<&str> {
        at(self.varied.base.varied.get(v)?, site)
    }
}

/// Whether all words and numbers of a value stand in answers that the test expects.
fn is_made_of(now: &str, sites: &[Site<'_>]) -> bool {
    let known: BTreeSet<&str> = sites.iter().flat_map(|site| parts(site.answer)).collect();
    let own = parts(now);
    let same = sites.iter().any(|site| site.answer == now);
    same || !own.is_empty() && own.iter().all(|part| known.contains(part))
}

fn at<'r>(rows: &'r [Row], site: &Site<'_>) -> Option<&'r str> {
    let row = rows.iter().find(|row| row.key() == site.key && row.raised.is_none())?;
    row.sides.get(site.side).map(String::as_str)
}

/// Whether texts are others all together, and not every input or every number.
fn is_of_text(variation: &Variation) -> bool {
    !variation.now.is_empty() && variation.now != NUMBERS
}

/// Whether an input is longer or shorter with it.
fn resizes(variation: &Variation) -> bool {
    if variation.sort == Sort::Together {
        return variation.now == LONGER;
    }
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
