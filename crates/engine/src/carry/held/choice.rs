//! Which of the sealed tests are held out. Chosen at the red gate, and only where all that stays behaves as before.

use super::Ground;
use crate::carry::Halt;
use crate::carry::gate::Red;
use proctor_core::item::TestItem;
use proctor_core::proof::{Anchor, HeldOut};
use proctor_core::report::{CollectError, RunEnd, TestReport};
use proctor_core::words::TestId;
use proctor_lab::TestRuns;
use proctor_tools::Selection;
use std::collections::BTreeSet;

/// How many choices are tried before nothing is held out.
const TRIES: usize = 6;

impl Red<'_> {
    /// Chooses what the coder is not shown: always the same for the same run and the same sealed bytes.
    pub(in crate::carry) fn hold_out(
        &self,
        runs: &mut TestRuns<'_>,
        anchor: &Anchor,
    ) -> Result<Option<HeldOut>, Halt> {
        let Some(share) = self.job.run.brief.rules.held_out.filter(|share| share.0 > 0) else {
            return Ok(None);
        };
        let nothing =
            |note: &str| Ok(Some(HeldOut { note: note.to_owned(), ..HeldOut::default() }));
        let pool = self.pool(anchor);
        let needed = |item: &TestItem| {
            anchor.red().is_empty() || anchor.red().iter().any(|id| item.covers(id))
        };
        let proofs = pool.iter().filter(|item| needed(item)).count();
        if proofs < 2 {
            return nothing("with fewer than two new tests that show the work nothing is held out");
        }
        let wanted = share.part_of(pool.len()).max(1);
        let suite = runs.suite().clone();
        let ground = Ground { shadow: self.shadow, suite: &suite, base: self.base.clone() };
        let mut refused = BTreeSet::new();
        for _ in 0..TRIES {
            let (mut chosen, mut left): (Vec<TestId>, usize) = (Vec::new(), proofs);
            for item in pool.iter().filter(|item| !refused.contains(&item.id)) {
                if chosen.len() == wanted || (needed(item) && left == 1) {
                    continue;
                }
                chosen.push(item.id.clone());
                if ground.without(&self.tests.tree, &chosen)?.stuck.is_empty() {
                    left -= usize::from(needed(item));
                } else {
                    chosen.pop();
                }
            }
            let Some(first) = chosen.first().cloned() else { break };
            let view = ground.without(&self.tests.tree, &chosen)?;
            let report = runs.run(&view.tree, &Selection::All)?;
            let held = HeldOut { tests: chosen, files: view.unseen_files(), note: String::new() };
            if self.runs_without(anchor, &held, &report) {
                let fewer = held.tests.len() < wanted;
                let note = format!("{} of {wanted} could be held out", held.tests.len());
                return Ok(Some(HeldOut {
                    note: if fewer { note } else { String::new() },
                    ..held
                }));
            }
            refused.insert(first);
        }
        nothing(
            "nothing could be held out: the test files do not stand without the tests that would be taken out",
        )
    }

    /// New tests that are sealed and known by a name of their own, in an order that nobody can foresee.
    fn pool(&self, anchor: &Anchor) -> Vec<TestItem> {
        let items = &self.measure.items.new;
        let once = |item: &&TestItem| {
            let same = items.iter().filter(|other| other.id == item.id).count();
            same == 1 && !item.id.as_str().ends_with('…')
        };
        let sealed = |item: &&TestItem| anchor.sealed().any(|id| item.covers(id));
        let mut pool: Vec<TestItem> = items.iter().filter(once).filter(sealed).cloned().collect();
        pool.sort_by_cached_key(|item| {
            let text = format!("{} {} {}", self.job.id, self.tests.tree, item.id);
            *blake3::hash(text.as_bytes()).as_bytes()
        });
        pool
    }

    /// Whether all other tests behave without those as they do beside them, and the work is still wanting.
    fn runs_without(&self, anchor: &Anchor, held: &HeldOut, without: &TestReport) -> bool {
        let Some(whole) = self.measure.runs.first() else { return false };
        let same = whole.cases.iter().filter(|(id, _)| !held.covers(id)).all(|(id, case)| {
            without.cases.get(id).is_some_and(|now| now.end.word() == case.end.word())
        });
        let (failed, errors) = match (&whole.end, &without.end) {
            (RunEnd::CollectFailed { errors: old }, RunEnd::CollectFailed { errors }) => {
                (true, errors.iter().all(|error| old.iter().any(|was| alike(was, error))))
            }
            (RunEnd::CollectFailed { .. }, RunEnd::Finished) => (false, true),
            (one, other) => (false, std::mem::discriminant(one) == std::mem::discriminant(other)),
        };
        let wanting = |id: &TestId| match without.cases.keys().find(|case| id.covers(case)) {
            Some(case) => !without.passed(case),
            None => failed || matches!(without.end, RunEnd::TimedOut { .. }),
        };
        let shows = anchor.red().is_empty()
            || anchor.red().iter().filter(|id| !held.covers(id)).any(wanting);
        same && errors && shows
    }
}

/// The same error, wherever it stands now.
fn alike(one: &CollectError, other: &CollectError) -> bool {
    let plain = |error: &CollectError| -> String {
        error.reason.message().chars().filter(|c| !c.is_ascii_digit()).collect()
    };
    one.place.file == other.place.file && plain(one).lines().next() == plain(other).lines().next()
}
