//! Head's new and changed tests on the base's production code: at least one must fail there, for a right reason, twice.

use super::{Done, Experiment, Found, Try, reports};
use crate::branch::Branch;
use proctor_core::branch::{BranchKind, BranchMeasure, Evidence};
use proctor_core::report::TestReport;
use proctor_core::trial::{Selection, Trial};
use proctor_core::verdict::CheckName as C;

pub(super) struct Replay;

/// How often.
const TWICE: usize = 2;

impl Experiment for Replay {
    fn what(&self) -> &'static str {
        "the new tests on the base's code"
    }

    fn checks(&self) -> &'static [C] {
        &[C::RedReplay, C::Harness, C::Isolation, C::Mutants]
    }

    fn next(&self, branch: &Branch<'_>, done: &[Done]) -> Vec<Try> {
        let candidates = branch.candidates();
        if branch.kind != BranchKind::Both || candidates.is_empty() {
            return Vec::new();
        }
        let tree = match done.len() {
            0 => branch.mixed.replay.as_ref(),
            // A library that head's tests need may be named only in head's manifest.
            TWICE if !shows(branch, &reports(done)) => branch.mixed.replay_with_manifests.as_ref(),
            _ => None,
        };
        let Some(tree) = tree else { return Vec::new() };
        vec![Try::Run(Trial::of(tree).only(Selection::Ids(candidates))); TWICE]
    }

    fn evidence(&self, branch: &Branch<'_>, done: &[Done]) -> Found {
        let mut first = reports(done);
        let then = first.split_off(first.len().min(TWICE));
        let kept = if shows(branch, &then) { then } else { first };
        Evidence::Replay(kept).into()
    }
}

/// Whether a test is red by these reports.
fn shows(branch: &Branch<'_>, reports: &[TestReport]) -> bool {
    let measure = BranchMeasure { replay: reports.to_vec(), ..branch.measure.clone() };
    !reports.is_empty() && !measure.sorted().red.is_empty()
}
