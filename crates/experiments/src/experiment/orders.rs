//! Head's tests in another order, with tests of our own beside them, and old tests that do not pass there some more times on
//! both sides: what was unsteady before is not head's fault. Which lines they run is measured in the same run. One run answers
//! these questions only where nothing moved: where a test ends otherwise than in the first one, or one of ours otherwise than it
//! must, it is not taken at its word; the tests run in that order by themselves, and ours in a run of their own. Where measuring
//! makes a suite many times slower, the new tests are measured apart, and the others only if these do not run every changed line.

use super::canaries::{Sown, beside_all};
use super::{Done, Experiment, Found, Try, reports};
use crate::branch::Branch;
use proctor_core::branch::{CanaryRun, Evidence};
use proctor_core::proof::{Again as Repeated, CoverageMeasure, passed_ids};
use proctor_core::report::{CaseEnd, RunEnd, TestReport};
use proctor_core::trial::{Selection, Trial};
use proctor_core::verdict::CheckName as C;
use proctor_core::words::{TestId, TreeId};

/// How many old tests may fail at once and still be looked at again: more than that is no accident.
const FEW: usize = 20;
/// How often a test that may be unsteady is run again, on the base and on head.
const TIMES: usize = 4;
/// In how many other orders the base is run at most, where a test of it depends on the order.
const MOST_ORDERS: usize = 4;

pub(super) struct AnotherOrder;

impl Experiment for AnotherOrder {
    fn what(&self) -> &'static str {
        "head's tests in another order"
    }

    fn checks(&self) -> &'static [C] {
        &[C::Green, C::Isolation]
    }

    fn next(&self, branch: &Branch<'_>, done: &[Done]) -> Vec<Try> {
        let tree = branch.head.tree();
        let plain = Trial::of(tree).shuffled(seed_of(tree));
        let (measured, apart) = (is_measured(branch), branch.tests.is_slowed_by_coverage());
        let Some((first, rest)) = done.split_first() else {
            let sown = sown(branch);
            let trial = sown.map_or(plain.clone(), |s| Trial { edits: s.trial.edits, ..plain });
            let whole = measured && !apart;
            return vec![if whole { Try::Covering(trial.covering()) } else { Try::Run(trial) }];
        };
        let rest = match (taken(branch, first), rest.split_first()) {
            (Some(_), _) => rest,
            (None, None) => return vec![Try::Run(plain)],
            (None, Some((_, rest))) => rest,
        };
        let new = branch.candidates();
        if measured && apart && !new.is_empty() && rest.is_empty() {
            return vec![Try::Covering(Trial::of(tree).only(Selection::Ids(new)).covering())];
        }
        Vec::new()
    }

    fn evidence(&self, branch: &Branch<'_>, done: &[Done]) -> Found {
        let mut found = Found::default();
        let Some((first, rest)) = done.split_first() else { return found };
        let own = taken(branch, first);
        let of = |done: &Done| match done {
            Done::Covering { covered, .. } => covered.clone(),
            _ => None,
        };
        let whole = own.as_ref().and_then(|_| of(first));
        // What the new tests do not run others may: all of them are asked at last.
        let apart = rest.last().and_then(of).filter(CoverageMeasure::is_settled);
        found.evidence.extend(whole.or(apart).map(Evidence::Coverage));
        let (report, canaries) = match own {
            Some((report, canaries)) => (Some(report), canaries),
            None => (reports(rest).into_iter().next(), None),
        };
        found.evidence.extend(canaries.map(|run| Evidence::Canaries(vec![run])));
        found.evidence.extend(report.map(Evidence::Head));
        found
    }
}

/// Whether it is to be told which lines run.
fn is_measured(branch: &Branch<'_>) -> bool {
    !branch.lines.is_empty() && !branch.measure.unmade.contains_key(&C::Coverage)
}

/// What is sown among all tests, where it is asked for and moves no line that is measured.
fn sown(branch: &Branch<'_>) -> Option<Sown> {
    let wanted = !branch.measure.unmade.contains_key(&C::Harness);
    beside_all(branch).filter(|_| wanted)
}

/// The run as it would be without ours, and what ours did; none where it does not answer for both.
fn taken(branch: &Branch<'_>, first: &Done) -> Option<(TestReport, Option<CanaryRun>)> {
    let (report, measured) = match first {
        Done::Ran { report, .. } => (report, false),
        Done::Covering { report, .. } => (report, true),
        _ => return None,
    };
    let Some(sown) = sown(branch) else {
        return (!measured || is_as_before(branch, report)).then(|| (report.clone(), None));
    };
    let own = sown.without(report);
    let fits = sown.behaves(report) && is_as_before(branch, &own);
    fits.then(|| (own, Some(sown.ran(report))))
}

pub(super) struct Again;

impl Experiment for Again {
    fn what(&self) -> &'static str {
        "unsteady tests again"
    }

    fn checks(&self) -> &'static [C] {
        &[C::Regression]
    }

    fn next(&self, branch: &Branch<'_>, done: &[Done]) -> Vec<Try> {
        let ids = failing(branch);
        if ids.is_empty() || ids.len() > FEW {
            return Vec::new();
        }
        let (base, head) = (branch.base.tree(), branch.head.tree());
        let some = |tree| {
            let trial = Trial::of(tree).only(Selection::Ids(ids.clone()));
            vec![Try::Run(trial); TIMES]
        };
        let sums = sorted(&ids, done);
        if sums.base.len() < TIMES {
            return some(base);
        }
        let steady = |id: &TestId| sums.base.iter().take(TIMES).all(|run| run.passed(id));
        if sums.head.is_empty() && !ids.iter().all(steady) {
            return some(head);
        }
        // A test that fails on head only in another order may have needed the order before: so the base is shuffled too.
        let first = branch.measure.head.first();
        let by_order = |id: &&TestId| first.is_some_and(|run| run.passed(id));
        let unsteady = |id: &TestId| sums.base.iter().any(|run| !run.passed(id));
        let orders = sums.base.len() - TIMES;
        if orders >= MOST_ORDERS || ids.iter().filter(by_order).all(unsteady) {
            return Vec::new();
        }
        let seed = seed_of(head).wrapping_add(u32::try_from(orders).unwrap_or_default());
        vec![Try::Run(Trial::of(base).shuffled(seed))]
    }

    fn evidence(&self, branch: &Branch<'_>, done: &[Done]) -> Found {
        Evidence::Again(sorted(&failing(branch), done)).into()
    }
}

/// Whether every test ends as in the first run of head.
fn is_as_before(branch: &Branch<'_>, report: &TestReport) -> bool {
    let Some(first) = branch.measure.head.first() else { return false };
    let ends = |run: &TestReport| -> Vec<(TestId, &'static str)> {
        run.cases.iter().map(|(id, case)| (id.clone(), case.end.word())).collect()
    };
    matches!(report.end, RunEnd::Finished) && ends(first) == ends(report)
}

/// Old tests that passed on the base and fail on head.
fn failing(branch: &Branch<'_>) -> Vec<TestId> {
    let measure = branch.measure;
    let failed = |id: &&TestId| {
        let ends = measure.head.iter().filter_map(|run| run.cases.get(*id));
        ends.into_iter()
            .any(|case| matches!(case.end, CaseEnd::Failed { .. } | CaseEnd::Errored { .. }))
    };
    let old = passed_ids(&measure.base).filter(|id| !measure.is_new(id));
    old.filter(failed).cloned().collect()
}

/// The runs by side: some of the base, then some of head where the base was unsteady, then the base in other orders.
fn sorted(ids: &[TestId], done: &[Done]) -> Repeated {
    let mut base = reports(done);
    let mut rest = base.split_off(base.len().min(TIMES));
    let steady = |id: &TestId| base.iter().all(|run| run.passed(id));
    let mut head = Vec::new();
    if !ids.iter().all(steady) {
        let orders = rest.split_off(rest.len().min(TIMES));
        head = std::mem::replace(&mut rest, orders);
    }
    base.extend(rest);
    Repeated { base, head }
}

/// A number for shuffling that is the same for the same tree.
fn seed_of(tree: &TreeId) -> u32 {
    let digits = tree.as_str().get(..7).unwrap_or("1");
    u32::from_str_radix(digits, 16).unwrap_or(1).max(1)
}
