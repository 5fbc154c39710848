//! Head's tests in another order, and old tests that do not pass there some more times on both sides: what was unsteady
//! before is not head's fault. Which lines they run is measured in the same run; where a test ends otherwise than in the
//! first one, it is not taken at its word, and they run in that order without it. Where measuring makes a suite many times
//! slower, the new tests are measured apart, and the others only if these do not run every changed line.

use super::{Done, Experiment, Found, Try, reports};
use crate::branch::Branch;
use proctor_core::branch::Evidence;
use proctor_core::proof::{Again as Repeated, passed_ids};
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
        let trial = Trial::of(tree).shuffled(seed_of(tree));
        let measured =
            !branch.lines.is_empty() && !branch.measure.unmade.contains_key(&C::Coverage);
        let (apart, new) = (branch.tests.is_slowed_by_coverage(), branch.candidates());
        match done {
            [] if measured && !apart => vec![Try::Covering(trial.covering())],
            [] => vec![Try::Run(trial)],
            [Done::Ran { .. }] if measured && apart && !new.is_empty() => {
                vec![Try::Covering(Trial::of(tree).only(Selection::Ids(new)).covering())]
            }
            [Done::Covering { report, .. }] if !is_as_before(branch, report) => {
                vec![Try::Run(trial)]
            }
            _ => Vec::new(),
        }
    }

    fn evidence(&self, _: &Branch<'_>, done: &[Done]) -> Found {
        let mut found = Found::default();
        match done {
            [Done::Covering { covered: Some(covered), .. }] => {
                found.evidence.push(Evidence::Coverage(covered.clone()));
            }
            // What the new tests do not run others may: all of them are asked at last.
            [Done::Ran { .. }, Done::Covering { covered: Some(covered), .. }]
                if covered.is_settled() =>
            {
                found.evidence.push(Evidence::Coverage(covered.clone()));
            }
            _ => {}
        }
        let plain = done.iter().find_map(Done::report);
        let report = plain.or(match done {
            [Done::Covering { report, .. }] => Some(report),
            _ => None,
        });
        found.evidence.extend(report.cloned().map(Evidence::Head));
        found
    }
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
