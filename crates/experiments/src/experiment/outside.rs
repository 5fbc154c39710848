//! The bodies of new tests called outside their tool: code that asks where it runs gives something else there.

use super::{Done, Experiment, Found, Try, alone};
use crate::branch::Branch;
use proctor_core::branch::Evidence;
use proctor_core::item::TestItem;
use proctor_core::report::CaseEnd;
use proctor_core::verdict::CheckName as C;

pub(super) struct Outside;

impl Experiment for Outside {
    fn what(&self) -> &'static str {
        "new tests outside the test tool"
    }

    fn checks(&self) -> &'static [C] {
        &[C::Isolation]
    }

    fn next(&self, branch: &Branch<'_>, done: &[Done]) -> Vec<Try> {
        let passing = |item: &TestItem| {
            branch.measure.head.first().is_some_and(|run| {
                run.cases.iter().any(|(id, case)| item.covers(id) && case.end == CaseEnd::Passed)
            })
        };
        let chosen: Vec<TestItem> =
            branch.chosen(alone::MOST * 3).into_iter().filter(passing).collect();
        if chosen.is_empty() || !done.is_empty() {
            return Vec::new();
        }
        vec![Try::Outside(chosen)]
    }

    fn evidence(&self, _: &Branch<'_>, done: &[Done]) -> Found {
        let ends = done.iter().find_map(|done| match done {
            Done::Outside(ends) => Some(ends.clone()),
            _ => None,
        });
        ends.map_or_else(Found::default, |ends| Evidence::Outside(ends).into())
    }
}
