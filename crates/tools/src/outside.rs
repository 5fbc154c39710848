//! The tests' own calls made without their runner: code that asks whether it is under test answers otherwise there. What
//! is done for each tool stands in the files below; here is what they have in common. Plans and reads, starts nothing.
//!
//! A test counts as failed outside only where a check of its own does not hold. Whatever can't be done as faithfully as
//! the runner does it is not made, with a reason: an alarm here must mean something.

mod go;
mod masked;
mod node;
mod python;
mod rust;
mod told;

use crate::ask::{Ask, Plan, Step, StepOutput};
use proctor_core::item::TestItem;
use proctor_core::words::TestId;
use proctor_lang::tree::Tree;
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

type Ends = BTreeMap<TestId, OutsideEnd>;

/// Plans the run; none where it can't be made for this runner. `ask.tree` holds the tree, `ask.scratch` is empty. The
/// plan may also write into the tree, which is thrown away afterwards.
pub fn outside(runner: &str, ask: &Ask, tree: &dyn Tree, tests: &[TestItem]) -> Option<Outside> {
    if tests.is_empty() {
        return None;
    }
    match runner {
        "pytest" => Some(python::plan(ask, tree, tests)),
        "go" => Some(go::plan(ask, tree, tests)),
        "cargo" => Some(rust::plan(ask, tree, tests)),
        "node" => Some(node::plan(ask, tree, tests)),
        "vitest" | "jest" => masked::plan(runner, ask, tree, tests),
        _ => None,
    }
}

/// Reads what the steps left: an end for each of the tests that were planned.
pub fn read_outside(runner: &str, ask: &Ask, tests: &[TestItem], done: &[StepOutput]) -> Ends {
    match runner {
        "pytest" => python::read(tests, done),
        "go" => go::read(ask, tests, done),
        "cargo" => rust::read(ask, tests, done),
        "node" => node::read(ask, tests, done),
        "vitest" | "jest" => masked::read(runner, ask, tests, done),
        _ => all_not_made(tests, "its runner has no outside"),
    }
}

fn not_made(why: impl Into<String>) -> OutsideEnd {
    OutsideEnd::NotMade { why: why.into() }
}

fn all_not_made(tests: &[TestItem], why: &str) -> Ends {
    tests.iter().map(|test| (test.id.clone(), not_made(why))).collect()
}
