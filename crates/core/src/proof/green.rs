//! The green gate's judgement: the sealed tests pass, the old ones still do, and red is still red.

use super::{
    Anchor, GreenMeasure, GreenProof, Point, errors_in_words, fresh_errors, passed_ids, ran,
};
use crate::fault::{GreenFault, Names, RedFault};
use crate::report::{CaseEnd, TestReport};
use crate::words::{CommitId, TestId};
use std::collections::BTreeSet;

impl GreenProof {
    /// The only way to a green proof.
    pub fn judge(
        anchor: &Anchor,
        base: &CommitId,
        measure: &GreenMeasure,
        at: &Point,
    ) -> Result<Self, GreenVerdict> {
        let faults = green_faults(anchor, measure);
        if !faults.is_empty() {
            return Err(GreenVerdict::Code(faults));
        }
        if let Some(fault) = replay_fault(anchor, measure.replay.as_ref()) {
            return Err(GreenVerdict::Tests(fault));
        }
        let passed = measure.runs.first().map_or(0, |run| run.counts().passed);
        Ok(Self { at: at.clone(), base: base.clone(), passed })
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

/// Whose fault it is that green was not proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GreenVerdict {
    Code(Vec<GreenFault>),
    Tests(RedFault),
}

fn green_faults(anchor: &Anchor, measure: &GreenMeasure) -> Vec<GreenFault> {
    let GreenMeasure { baseline, runs, .. } = measure;
    let Some(first) = runs.first() else {
        return vec![GreenFault::DidNotRun { why: "no test run was made".to_owned() }];
    };
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
    let wanted: BTreeSet<&TestId> = sealed.iter().copied().chain(passed_ids(baseline)).collect();
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
            if passes.iter().all(|p| *p) {
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
    faults
}

/// The ids of a report that a known id stands for: itself, or its parametrised cases where it was known only
/// by its stem (its file could not be collected on the old code).
fn covering(report: &TestReport, id: &TestId) -> Vec<TestId> {
    if report.cases.contains_key(id) {
        return vec![id.clone()];
    }
    let stem = format!("{id}[");
    report.cases.keys().filter(|k| k.0.starts_with(&stem)).cloned().collect()
}

fn replay_fault(anchor: &Anchor, replay: Option<&TestReport>) -> Option<RedFault> {
    if anchor.red().is_empty() {
        return None;
    }
    let Some(replay) = replay else {
        return Some(RedFault::DidNotRun { why: "the red replay was not made".to_owned() });
    };
    if let Err(why) = ran(replay) {
        return Some(RedFault::DidNotRun { why: format!("in the red replay, {why}") });
    }
    let passing: Names = anchor.red().iter().filter(|id| replay.passed(id)).cloned().collect();
    (!passing.is_empty()).then_some(RedFault::NoLongerRed { tests: passing })
}
