//! Small changes of one tree in one start of the test tool a round, where it has a way to that. What could not be told that way is
//! left out. Where it counts that a change is noticed, runs without any stand before them and after them.

use crate::changes::{Changes, all_pass, fate_of, limit_of};
use crate::rounds::Rounds;
use crate::{Halt, Stage, TestRuns, workers};
use proctor_core::branch::Fate;
use proctor_core::report::{RunEnd, TestReport};
use proctor_core::trial::{Selection, Sought, Trial};
use proctor_tools::{Meets, Variant};
use std::collections::BTreeMap;

/// How many of a part go through the whole suite in one start of the tool.
pub(crate) const AT_ONCE: usize = 2;

/// What became of some changes in one start.
enum Came {
    Told(Vec<TestReport>),
    /// The tests passed before them and not after.
    Spoilt,
    /// The tool has no way to it, or the tests do not pass that way.
    Nothing,
}

struct Batched<'r, 'c> {
    runs: TestRuns<'r>,
    standing: Stage,
    changes: &'c Changes<'c>,
    /// A run of the tests that come first, without any change.
    plain: Variant,
}

impl TestRuns<'_> {
    /// What is known of them then; none where the tests leave something behind.
    pub(crate) fn in_one_batch<'c>(
        &self,
        changes: &Changes<'c>,
    ) -> Result<Option<Rounds<'c>>, Halt> {
        let runs = self.beside(workers() + 1);
        let standing = runs.stand(&Trial::of(changes.tree))?;
        // What a test is given may come from a call of another one: where nothing follows all of them are asked.
        let meets = if changes.parts.is_some() { Meets::Reaching } else { Meets::All };
        let (only, limit_ms) = (changes.noticing.clone(), limit_of(changes.suite_took));
        let plain = Variant { files: BTreeMap::new(), only, meets, limit_ms };
        let mut batched = Batched { runs, standing, changes, plain };
        let mut rounds = changes.rounds();
        let all: Vec<usize> = (0..changes.all.len()).collect();
        let came = batched.guarded(&all, changes.noticing)?;
        match came {
            Came::Told(reports) => {
                for (n, report) in reports.iter().enumerate().filter(|(_, r)| !is_odd(r)) {
                    changes.noticed.hear(changes.all.get(n), report);
                    rounds.first(n, fate_of(report));
                }
            }
            Came::Spoilt => return Ok(None),
            Came::Nothing => return Ok(Some(rounds)),
        }
        let mut leads = batched.runs.leads();
        loop {
            let mut next = rounds.next(AT_ONCE);
            if next.is_empty() {
                return Ok(Some(rounds));
            }
            // One run that shows which tests reach what, where more than one change pays for it.
            let came = if leads && next.len() > 1 {
                next.extend(rounds.spare(&next));
                batched.led(&next)?
            } else {
                batched.guarded(&next, &Selection::All)?
            };
            match came {
                Came::Told(reports) => {
                    for (n, report) in next.iter().zip(&reports) {
                        if is_odd(report) {
                            rounds.forget(*n);
                        } else {
                            changes.noticed.hear(changes.all.get(*n), report);
                            rounds.whole(*n, fate_of(report));
                        }
                    }
                }
                Came::Spoilt => return Ok(None),
                Came::Nothing if leads => leads = false,
                Came::Nothing => return Ok(Some(changes.rounds())),
            }
        }
    }
}

impl Batched<'_, '_> {
    fn variants(&self, numbers: &[usize], only: &Selection) -> Vec<Variant> {
        let changes = self.changes;
        let variant = |n: &usize| {
            let change = changes.all.get(*n);
            let file =
                change.map(|c| (c.file.clone(), c.edit.apply(changes.text(&c.file)).into_bytes()));
            let files = file.into_iter().collect();
            Variant { files, only: only.clone(), ..self.plain.clone() }
        };
        numbers.iter().map(variant).collect()
    }

    fn tried(&mut self, variants: &[Variant]) -> Result<Vec<TestReport>, Halt> {
        let reports = self.runs.batch(&self.standing, self.changes.tree, variants, workers())?;
        Ok(reports.unwrap_or_default())
    }

    /// Between runs of the first tests without any change, where it counts that one is noticed.
    fn guarded(&mut self, numbers: &[usize], only: &Selection) -> Result<Came, Halt> {
        let mut variants = self.variants(numbers, only);
        let sure = self.changes.sought == Sought::Fates;
        // One for those that begin with all tests collected, one for those that can't, where a tool makes a difference there.
        let after = if self.runs.leads() { 2 } else { 1 };
        if sure {
            variants.insert(0, self.plain.clone());
            variants.extend(vec![self.plain.clone(); after]);
        }
        let mut reports = self.tried(&variants)?;
        if reports.len() != variants.len() {
            return Ok(Came::Nothing);
        }
        if sure {
            let after = reports.split_off(reports.len() - after);
            let before = reports.remove(0);
            if !all_pass(&before) || !after.iter().all(all_pass) {
                let ended = after.last().is_some_and(|r| matches!(r.end, RunEnd::Finished));
                let spoilt = all_pass(&before) && ended;
                return Ok(if spoilt { Came::Spoilt } else { Came::Nothing });
            }
        }
        Ok(Came::Told(reports))
    }

    /// The whole suite, behind a run of it without any change that shows which tests reach what.
    fn led(&mut self, numbers: &[usize]) -> Result<Came, Halt> {
        let mut variants = self.variants(numbers, &Selection::All);
        variants.insert(0, Variant { only: Selection::All, ..self.plain.clone() });
        let mut reports = self.tried(&variants)?;
        if reports.len() != variants.len() || !all_pass(&reports.remove(0)) {
            return Ok(Came::Nothing);
        }
        let killed = |report: &TestReport| !is_odd(report) && fate_of(report) == Fate::Killed;
        if self.changes.sought == Sought::Fates && reports.iter().any(killed) {
            let after = self.tried(&[self.plain.clone(), self.plain.clone()])?;
            if after.is_empty() || !after.iter().all(all_pass) {
                return Ok(Came::Spoilt);
            }
        }
        Ok(Came::Told(reports))
    }
}

/// What broke may be the way in which tests run in a batch: it is tried by itself.
fn is_odd(report: &TestReport) -> bool {
    matches!(report.end, RunEnd::Suspect { .. } | RunEnd::Crashed { .. })
}
