//! The base's tests and configuration on head's production code, where the branch touched them.

use super::{Done, Experiment, Found, Try, reports};
use crate::branch::Branch;
use proctor_core::branch::Evidence;
use proctor_core::trial::Trial;
use proctor_core::verdict::CheckName as C;

pub(super) struct Older;

impl Experiment for Older {
    fn what(&self) -> &'static str {
        "the old tests on head's code"
    }

    fn checks(&self) -> &'static [C] {
        &[C::TestsIntact, C::Harness]
    }

    fn next(&self, branch: &Branch<'_>, done: &[Done]) -> Vec<Try> {
        let tree = branch.mixed.old_on_head.as_ref().filter(|_| done.is_empty());
        tree.map(|tree| Try::Run(Trial::of(tree))).into_iter().collect()
    }

    fn evidence(&self, _: &Branch<'_>, done: &[Done]) -> Found {
        reports(done).pop().map_or_else(Found::default, |report| Evidence::Old(report).into())
    }
}
