//! The green gate's judgement: the sealed tests pass, the old ones still do, and red is still red.

use super::probed::{Sort, faults};
use super::{
    Again, Anchor, CoverageMeasure, GreenMeasure, GreenProof, Point, errors_in_words, fresh_errors,
    passed_ids, ran,
};
use crate::branch::BranchMeasure;
use crate::brief::{Brief, Percent};
use crate::concern::Raised;
use crate::examined::Examined;
use crate::fault::{GreenFault, Names, RedFault, ThinFault};
use crate::report::{CaseEnd, RunEnd, TestReport};
use crate::words::{CommitId, TestId};
use std::collections::BTreeSet;

impl GreenProof {
    /// The only way to a green proof.
    pub fn judge(
        brief: &Brief,
        anchor: &Anchor,
        base: &CommitId,
        measure: &GreenMeasure,
        at: &Point,
    ) -> Result<Self, GreenVerdict> {
        Self::judged(brief, anchor, base, measure, at, Survivors::Refuse)
    }

    /// The same where mutants that survive are only told: the tester had no more to add.
    pub fn judge_with_survivors(
        brief: &Brief,
        anchor: &Anchor,
        base: &CommitId,
        measure: &GreenMeasure,
        at: &Point,
    ) -> Result<Self, GreenVerdict> {
        Self::judged(brief, anchor, base, measure, at, Survivors::Tell)
    }

    fn judged(
        brief: &Brief,
        anchor: &Anchor,
        base: &CommitId,
        measure: &GreenMeasure,
        at: &Point,
        survivors: Survivors,
    ) -> Result<Self, GreenVerdict> {
        // Where no red gate was asked for, no turn that only adds tests is either.
        let survivors = if anchor.is_open() { Survivors::Tell } else { survivors };
        let faults = green_faults(anchor, measure);
        if !faults.is_empty() {
            return Err(GreenVerdict::Code(faults));
        }
        if let Some(fault) = replay_fault(anchor, measure.replay.as_ref()) {
            return Err(GreenVerdict::Tests(fault));
        }
        if let Some(refusal) =
            measure.probe.as_ref().and_then(|probe| super::probed::refusal(probe))
            && !(survivors == Survivors::Tell && matches!(refusal, GreenVerdict::Thin(_)))
        {
            return Err(refusal);
        }
        let thin = measure.coverage.as_ref().map(|c| c.faults(brief)).unwrap_or_default();
        if !thin.is_empty() {
            return Err(GreenVerdict::Thin(thin));
        }
        let passed = measure.runs.first().map_or(0, |run| run.counts().passed);
        let coverage = measure.coverage.as_ref().and_then(CoverageMeasure::of_changed);
        Ok(Self { at: at.clone(), base: base.clone(), passed, coverage })
    }

    pub fn coverage(&self) -> Option<Percent> {
        self.coverage
    }

    pub fn at(&self) -> &Point {
        &self.at
    }

    pub fn base(&self) -> &CommitId {
        &self.base
    }

    pub fn passed(&self) -> u32 {
        self.passed
    }
}

pub(crate) const NOT_WHOLE: &str = "the whole suite was not run";

/// What mutants that survive do to the judgement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Survivors {
    Refuse,
    Tell,
}

/// Whose fault it is that green was not proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GreenVerdict {
    Code(Vec<GreenFault>),
    Tests(RedFault),
    /// The work is right as far as the tests go, but they do not go far enough.
    Thin(Vec<ThinFault>),
}

impl GreenMeasure {
    /// Nothing is measured yet but the base.
    pub fn over(baseline: TestReport) -> Self {
        Self {
            baseline,
            early: None,
            runs: Vec::new(),
            seen: None,
            replay: None,
            again: Again::default(),
            coverage: None,
            added: None,
            probe: None,
            examined: None,
            tidied: None,
        }
    }

    /// What a person must look at before the work lands.
    pub fn raised(&self) -> Vec<Raised> {
        let examined = self.examined.iter().flat_map(Examined::raised);
        self.probe.iter().flat_map(|probe| super::probed::raised(probe)).chain(examined).collect()
    }

    /// What of it the coder is told first.
    pub(crate) fn doubts(&self) -> Vec<GreenFault> {
        let of = |probe: &BranchMeasure| faults(probe, (Sort::Doubtful, None));
        let examined = self.examined.iter().filter_map(Examined::fault);
        self.probe.iter().flat_map(|probe| of(probe)).chain(examined).collect()
    }

    /// What a person should see before approving.
    pub fn warnings(&self) -> Vec<String> {
        let coverage = self.coverage.iter().flat_map(|coverage| coverage.warnings.clone());
        let probe = self.probe.iter().flat_map(|probe| super::probed::warnings(probe));
        coverage.chain(probe).collect()
    }

    /// Whether the tests that were run first already show that the work is not done.
    pub fn fails_early(&self, anchor: &Anchor) -> bool {
        let Some(early) = &self.early else {
            return false;
        };
        let sealed = |id: &TestId| {
            let ids = covering(early, id);
            !ids.is_empty() && ids.iter().all(|id| early.passed(id))
        };
        let old = |id: &&TestId| early.cases.get(*id).is_some_and(|c| c.end != CaseEnd::Passed);
        ran(early).is_err()
            || !fresh_errors(&self.baseline, early).is_empty()
            || !anchor.sealed().all(sealed)
            || passed_ids(&self.baseline).any(|id| old(&id))
    }

    /// Old tests that passed on the base and did not in every run here. A few of them may be unsteady: whoever measures
    /// runs those again, here and on the base.
    pub fn unsettled(&self, anchor: &Anchor) -> Vec<TestId> {
        let sealed: BTreeSet<&TestId> = anchor.sealed().collect();
        passed_ids(&self.baseline)
            .filter(|id| !sealed.contains(id))
            .filter(|id| {
                self.runs
                    .iter()
                    .any(|run| run.cases.get(*id).is_some_and(|c| c.end != CaseEnd::Passed))
            })
            .cloned()
            .collect()
    }
}

pub(super) fn green_faults(anchor: &Anchor, measure: &GreenMeasure) -> Vec<GreenFault> {
    let GreenMeasure { baseline, runs, early, .. } = measure;
    // Where the tests that matter failed, the whole suite was not run, and only they are spoken of.
    let runs = if runs.is_empty() { early.as_slice() } else { runs.as_slice() };
    let Some(first) = runs.first() else {
        return vec![GreenFault::DidNotRun { why: "no test run was made".to_owned() }];
    };
    let whole = !measure.runs.is_empty();
    for run in runs {
        if let Err(why) = ran(run) {
            return vec![GreenFault::DidNotRun { why }];
        }
        let fresh = fresh_errors(baseline, run);
        if !fresh.is_empty() {
            return vec![GreenFault::Unusable { why: errors_in_words(&fresh) }];
        }
    }
    let sealed: BTreeSet<&TestId> = anchor.sealed().collect();
    let asked = |id: &&TestId| whole || first.cases.contains_key(*id);
    // Nobody sealed what a plain task adds, and it must pass all the same.
    let own = first.cases.keys().filter(|id| anchor.is_open() && !baseline.cases.contains_key(*id));
    let wanted: BTreeSet<&TestId> =
        sealed.iter().copied().chain(passed_ids(baseline).filter(asked)).chain(own).collect();
    let covered = |id: &TestId| covering(first, id);
    let mut faults = Vec::new();
    let (mut still, mut broke, mut vanished, mut skipped, mut flaky) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for id in wanted {
        let ids = covered(id);
        if ids.is_empty() {
            vanished.push(id.clone());
        }
        for found in ids {
            let passes: Vec<bool> = runs.iter().map(|run| run.passed(&found)).collect();
            let old = !sealed.contains(id);
            if passes.iter().all(|p| *p) || (old && measure.again.excuses(&found, runs)) {
                continue;
            }
            let is_skipped =
                matches!(first.cases.get(&found).map(|c| &c.end), Some(CaseEnd::Skipped { .. }));
            if passes.iter().any(|p| *p) {
                flaky.push(found);
            } else if is_skipped {
                skipped.push(found);
            } else if sealed.contains(id) {
                still.push(found);
            } else {
                broke.push(found);
            }
        }
    }
    let mut add = |ids: Vec<TestId>, fault: fn(Names) -> GreenFault| {
        if !ids.is_empty() {
            faults.push(fault(ids.into_iter().collect()));
        }
    };
    add(still, |tests| GreenFault::StillRed { tests });
    add(broke, |tests| GreenFault::BrokeOthers { tests });
    add(vanished, |tests| GreenFault::Vanished { tests });
    add(skipped, |tests| GreenFault::NewlySkipped { tests });
    add(flaky, |tests| GreenFault::Flaky { tests });
    if faults.is_empty() && !whole {
        return vec![GreenFault::DidNotRun { why: NOT_WHOLE.to_owned() }];
    }
    faults
}

/// The ids of a report that a known id stands for: itself, or its parametrised cases where it was known only
/// by its stem (its file could not be collected on the old code).
pub(super) fn covering(report: &TestReport, id: &TestId) -> Vec<TestId> {
    if report.cases.contains_key(id) {
        return vec![id.clone()];
    }
    report.cases.keys().filter(|k| id.covers(k)).cloned().collect()
}

fn replay_fault(anchor: &Anchor, replay: Option<&TestReport>) -> Option<RedFault> {
    if anchor.red().is_empty() {
        return None;
    }
    let Some(replay) = replay else {
        return Some(RedFault::DidNotRun { why: "the red replay was not made".to_owned() });
    };
    if let RunEnd::TimedOut { running: Some(id) } = &replay.end
        && anchor.hanging().iter().any(|hanging| hanging.covers(id))
    {
        return None;
    }
    if let Err(why) = ran(replay) {
        return Some(RedFault::DidNotRun { why: format!("in the red replay, {why}") });
    }
    let collected = !matches!(replay.end, RunEnd::CollectFailed { .. });
    let red = |id: &&TestId| {
        let ids = covering(replay, id);
        // Where its file can't be collected it is as red as it was; where it can, one of its cases must fail.
        if ids.is_empty() { !collected } else { !ids.iter().all(|id| replay.passed(id)) }
    };
    let passing: Names = anchor.red().iter().filter(|id| !red(id)).cloned().collect();
    (!passing.is_empty()).then_some(RedFault::NoLongerRed { tests: passing })
}
