//! New tests with no other beside them.

use super::{Done, Experiment, Found, Try, reports};
use crate::branch::Branch;
use proctor_core::branch::{Alone as OneAlone, Evidence};
use proctor_core::item::TestItem;
use proctor_core::trial::{Selection, Trial};
use proctor_core::verdict::CheckName as C;

/// How many new tests are run alone at most.
pub(super) const MOST: usize = 8;

pub(super) struct Alone;

impl Experiment for Alone {
    fn what(&self) -> &'static str {
        "new tests alone"
    }

    fn checks(&self) -> &'static [C] {
        &[C::Isolation]
    }

    fn next(&self, branch: &Branch<'_>, done: &[Done]) -> Vec<Try> {
        if !done.is_empty() || branch.count() < 2 && branch.measure.base.cases.is_empty() {
            return Vec::new();
        }
        let alone = |item: TestItem| {
            Try::Run(Trial::of(branch.head.tree()).only(Selection::Ids(vec![item.id])))
        };
        branch.chosen(MOST).into_iter().map(alone).collect()
    }

    fn evidence(&self, branch: &Branch<'_>, done: &[Done]) -> Found {
        let (tests, reports) = (branch.chosen(MOST), reports(done));
        let mut left_out = Vec::new();
        if !reports.is_empty() && branch.count() > reports.len() {
            left_out.push(format!(
                "{} of {} new tests were run alone; the others only beside the rest",
                reports.len(),
                branch.count()
            ));
        }
        let alone = tests.into_iter().map(|item| item.id).zip(reports);
        let alone = alone.map(|(test, report)| OneAlone { test, report }).collect();
        Found { evidence: vec![Evidence::Alone(alone)], left_out }
    }
}
