//! Which changes are tried against the whole suite after the tests that come first. One that is noticed says that a test looks
//! at what it is a part of, so the whole suite is run only for parts of which nothing is known yet, and for a few more.

use proctor_core::branch::Fate;
use std::collections::{BTreeMap, BTreeSet};

/// How many changes of parts that are known to be looked at are tried against the whole suite all the same.
const SPARE: usize = 4;

/// What became of changes, round by round.
pub(crate) struct Rounds<'a> {
    /// By change, what it is a part of; none where the first tests are all that count.
    parts: Option<&'a [Vec<usize>]>,
    fates: BTreeMap<usize, Fate>,
    /// Those that met every test.
    whole: BTreeSet<usize>,
}

impl<'a> Rounds<'a> {
    pub(crate) fn new(parts: Option<&'a [Vec<usize>]>) -> Self {
        Self { parts, fates: BTreeMap::new(), whole: BTreeSet::new() }
    }

    /// What became of one under the tests that come first.
    pub(crate) fn first(&mut self, change: usize, fate: Fate) {
        self.fates.insert(change, fate);
    }

    /// What became of one under the whole suite.
    pub(crate) fn whole(&mut self, change: usize, fate: Fate) {
        self.fates.insert(change, fate);
        self.whole.insert(change);
    }

    /// One about which nothing can be said that way.
    pub(crate) fn forget(&mut self, change: usize) {
        self.fates.remove(&change);
    }

    pub(crate) fn knows(&self, change: usize) -> bool {
        self.fates.contains_key(&change)
    }

    /// The next ones for the whole suite: of each part of which nothing is known the first that the tests before did not notice,
    /// `each` at most; then the spare ones. None when there is nothing to find out.
    pub(crate) fn next(&self, each: usize) -> Vec<usize> {
        let Some(parts) = self.parts else { return Vec::new() };
        let of = |change: usize| parts.get(change).map_or(&[][..], Vec::as_slice);
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        for (change, fate) in &self.fates {
            if *fate == Fate::Killed {
                seen.extend(of(*change));
            }
        }
        let open: Vec<usize> = self.open().collect();
        let mut taken: BTreeMap<usize, usize> = BTreeMap::new();
        let mut next = Vec::new();
        for change in open.iter().copied() {
            let mut unseen = of(change).iter().filter(|part| !seen.contains(part)).peekable();
            if unseen.peek().is_none() || unseen.clone().all(|p| taken.get(p) >= Some(&each)) {
                continue;
            }
            unseen.for_each(|part| *taken.entry(*part).or_default() += 1);
            next.push(change);
        }
        if next.is_empty() {
            let known = |change: &usize| of(*change).iter().all(|part| seen.contains(part));
            let spent = self.whole.iter().filter(|change| known(change)).count();
            next.extend(open.into_iter().take(SPARE.saturating_sub(spent)));
        }
        next
    }

    /// Some more that may go with these, where they cost little.
    pub(crate) fn spare(&self, with: &[usize]) -> Vec<usize> {
        self.open().filter(|change| !with.contains(change)).take(SPARE).collect()
    }

    /// Those that the first tests did not notice, and that did not meet the others.
    fn open(&self) -> impl Iterator<Item = usize> {
        let open = |(change, fate): &(&usize, &Fate)| {
            **fate == Fate::Survived && !self.whole.contains(change)
        };
        self.fates.iter().filter(open).map(|(change, _)| *change)
    }

    /// What became of each. One that did not meet every test has not survived.
    pub(crate) fn end(mut self) -> BTreeMap<usize, Fate> {
        if self.parts.is_some() {
            let open: Vec<usize> = self.open().collect();
            self.fates.extend(open.into_iter().map(|change| (change, Fate::NotTried)));
        }
        self.fates
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Fate::{Killed, NotTried, Survived};

    #[test]
    fn the_whole_suite_runs_until_something_is_noticed_in_each_part() {
        // A function with a branch, and another function.
        let parts = [vec![0], vec![0, 1], vec![0, 1], vec![2], vec![2], vec![2]];
        let mut rounds = Rounds::new(Some(&parts));
        for change in 0..6 {
            rounds.first(change, if change == 0 { Killed } else { Survived });
        }
        assert_eq!(rounds.next(1), [1, 3]);
        rounds.whole(1, Survived);
        rounds.whole(3, Killed);
        assert_eq!(rounds.next(1), [2], "nothing is known of the branch yet");
        rounds.whole(2, Killed);
        assert_eq!(rounds.next(1), [4], "three of four met the whole suite already");
        rounds.whole(4, Survived);
        let fates: Vec<Fate> = rounds.end().into_values().collect();
        assert_eq!(fates, [Killed, Survived, Killed, Killed, Survived, NotTried]);
    }

    #[test]
    fn where_the_first_tests_are_all_that_count_nothing_follows() {
        let mut rounds = Rounds::new(None);
        rounds.first(0, Survived);
        assert!(rounds.next(4).is_empty());
        assert_eq!(rounds.end(), BTreeMap::from([(0, Survived)]));
    }
}
