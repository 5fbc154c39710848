//! Work that was learnt by heart: the change holds what the tests give and what they expect of it, whatever all others get.

use super::fate::{self, Fate};
use super::learnt::{Site, said};
use super::{View, is_edge, parts, showing};
use crate::observation::Row;
use std::collections::BTreeSet;

impl View<'_> {
    /// The inputs that the change repeats whole, where that is at least two and half of them, and nothing that the test
    /// gives can be another without the difference going away, or the answers were learnt with them. A yes that becomes a no
    /// is no answer of head's own.
    pub(super) fn repeated(&self) -> Vec<String> {
        let inputs: Vec<_> = self.varied.inputs.iter().filter(|i| !is_edge(&i.value)).collect();
        let known: Vec<String> =
            inputs.iter().filter(|i| i.known).map(|i| i.value.clone()).collect();
        let many = known.len() >= 2 && known.len() * 2 >= inputs.len();
        if many && (!self.moves_an_answer() || self.by_heart()) { known } else { Vec::new() }
    }

    /// Whether another input moves an answer that is more than yes and no.
    fn moves_an_answer(&self) -> bool {
        let plain = super::seen(&self.varied.head.plain[0]);
        let says_more = |key| {
            let row: Option<&&Row> = plain.get(key);
            row.is_none_or(|row| !fate::is_plain(&row.sides))
        };
        let shown = showing(self.varied);
        let telling: Vec<bool> = shown.iter().map(says_more).collect();
        let moves = |fates: &Vec<Fate>| {
            fates.iter().zip(&telling).any(|(fate, telling)| *telling && fate.moves())
        };
        self.fates.iter().any(moves)
    }

    /// Whether at least two answers stand in the change, three quarters of all, and each is given to no other input in the
    /// place of one that the change holds: general code has no need of both.
    fn by_heart(&self) -> bool {
        let sites = self.sites();
        let learnt = |site: &&Site<'_>| self.holds_numbers(site.answer) && self.is_picked(site);
        let learnt: Vec<&str> = sites.iter().filter(learnt).map(|site| site.answer).collect();
        let different: BTreeSet<&str> = learnt.iter().copied().collect();
        different.len() > 1 && learnt.len() * 4 >= sites.len() * 3
    }

    /// Whether the change holds an answer, or every number of it.
    fn holds_numbers(&self, answer: &str) -> bool {
        let answer = said(answer);
        let is_number = |part: &&str| part.starts_with(|c: char| c.is_ascii_digit());
        let numbers: Vec<&str> = parts(answer).into_iter().filter(is_number).collect();
        let all = !numbers.is_empty() && numbers.iter().all(|number| self.holds(number));
        !fate::is_plain(&[answer.to_owned()]) && (self.holds(answer) || all)
    }

    /// Whether an answer goes away with every other one in the place of an input that the change holds.
    fn is_picked(&self, site: &Site<'_>) -> bool {
        let held = |was: &str| self.varied.inputs.iter().any(|i| i.known && i.value == was);
        let ways = self.varied.variations.iter().zip(&self.fates).enumerate();
        let told = ways.filter(|(_, (v, _))| v.known && !v.named && held(&v.was));
        let told = told.filter(|(_, (_, fates))| {
            !matches!(fates.get(site.n), None | Some(Fate::Void | Fate::Unmoved | Fate::Same))
        });
        let gone: Vec<bool> =
            told.map(|(n, _)| self.head_at(n, site).is_none_or(|now| now != site.answer)).collect();
        gone.len() > 1 && gone.iter().all(|gone| *gone)
    }
}
