//! The tests' own calls made in a plain process, without their runner: code that asks whether it is under test answers
//! otherwise there.

use crate::ask::{Ask, Plan, Step, StepOutput};
use crate::tree::Tree;
use proctor_core::item::TestItem;
use proctor_core::words::TestId;
use std::collections::BTreeMap;

/// One run outside the runner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outside {
    pub plan: Plan,
    pub steps: Vec<Step>,
}

/// What a test's body did outside the runner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutsideEnd {
    Holds,
    /// An assertion that holds in the runner does not hold here.
    Fails {
        message: String,
    },
    NotMade {
        why: String,
    },
}

/// Plans the run; none where it can't be made for this runner. `ask.tree` holds the tree, `ask.scratch` is empty.
pub fn outside(
    _runner: &str,
    _ask: &Ask,
    _tree: &dyn Tree,
    _tests: &[TestItem],
) -> Option<Outside> {
    None
}

/// Reads what the steps left.
pub fn read_outside(
    _runner: &str,
    _ask: &Ask,
    _tests: &[TestItem],
    _done: &[StepOutput],
) -> BTreeMap<TestId, OutsideEnd> {
    BTreeMap::new()
}
