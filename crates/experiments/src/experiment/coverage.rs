//! The whole suite once more with the language's coverage tool, where that was not there while it ran in another order: which
//! of the changed lines it runs.

use super::{Done, Experiment, Found, Try};
use crate::branch::Branch;
use proctor_core::branch::Evidence;
use proctor_core::verdict::CheckName as C;

pub(super) struct Coverage;

impl Experiment for Coverage {
    fn what(&self) -> &'static str {
        "coverage"
    }

    fn checks(&self) -> &'static [C] {
        &[C::Coverage]
    }

    fn next(&self, branch: &Branch<'_>, done: &[Done]) -> Vec<Try> {
        let known = branch.measure.coverage.is_some();
        let over = branch.lines.is_empty() || !done.is_empty() || known;
        if over { Vec::new() } else { vec![Try::Coverage] }
    }

    fn evidence(&self, _: &Branch<'_>, done: &[Done]) -> Found {
        let found = done.iter().find_map(|done| match done {
            Done::Coverage(found) => Some(found.clone()),
            _ => None,
        });
        found.map_or_else(Found::default, |found| Evidence::Coverage(found).into())
    }
}
