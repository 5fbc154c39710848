//! A verification is a machine as a run is: each experiment says what is to be tried next, from what is known of the branch
//! and what its own trials showed, and at last what they are evidence of. Data in, trials out, evidence back: what evidence
//! means is said in `core`, and who runs a trial is not known here. Verify and the green gate go through the same list.

mod alone;
mod ambient;
mod canaries;
mod configured;
mod coverage;
mod elsewhere;
mod files;
mod helpers;
mod inputs;
mod look;
mod mutants;
mod older;
mod orders;
mod outside;
mod parts;
mod questions;
mod refactored;
mod refusals;
mod replay;
mod set_up;
mod siblings;

pub use mutants::{Aim, Mutants};
pub use questions::Questions;
pub use refactored::Refactored;

use crate::branch::Branch;
use proctor_core::branch::{Evidence, Fate, OutsideEnd, Untried};
use proctor_core::item::TestItem;
use proctor_core::proof::CoverageMeasure;
use proctor_core::report::{LineCoverage, TestReport};
use proctor_core::trial::{Selection, Sought, Trial};
use proctor_core::verdict::CheckName;
use proctor_core::words::TestId;
use proctor_lang::Change;
use std::collections::BTreeMap;

pub trait Experiment {
    /// What it is for people, while it is under way.
    fn what(&self) -> &'static str;
    /// The checks that need it. Where none of them is wanted it is left out.
    fn checks(&self) -> &'static [CheckName];
    /// What is to be tried after what was; nothing when it is over.
    fn next(&self, branch: &Branch<'_>, done: &[Done]) -> Vec<Try>;
    /// Whether it only informs: what can't be tried is left out then, and never in the way of a verdict.
    fn informs(&self) -> bool {
        false
    }
    /// What that shows.
    fn evidence(&self, branch: &Branch<'_>, done: &[Done]) -> Found;
}

/// Something to be tried.
#[derive(Clone, Debug)]
pub enum Try {
    Run(Trial),
    Changes(Tampering),
    /// The bodies of these tests called outside their tool, on head.
    Outside(Vec<TestItem>),
    /// Head's suite with the coverage tools of its languages.
    Coverage,
    /// A run of which both is wanted: how its tests end, and which lines they run where that can be told.
    Covering(Trial),
}

/// Small changes of head's sources, each against the tests that could notice it.
#[derive(Clone, Debug)]
pub struct Tampering {
    pub texts: BTreeMap<String, String>,
    pub changes: Vec<Change>,
    /// The tests that come first.
    pub noticing: Selection,
    /// By change, the numbers of what it is a part of: the whole suite follows for parts in which those notice nothing. None
    /// where nothing follows.
    pub parts: Option<Vec<Vec<usize>>>,
    /// What they are, for people.
    pub what: &'static str,
    pub sought: Sought,
}

/// What came of it.
#[derive(Clone, Debug)]
pub enum Done {
    /// What was run, which lines that reached where it was asked for, and what tests that observe told.
    Ran {
        report: TestReport,
        lines: LineCoverage,
        heard: Vec<u8>,
    },
    Changes {
        fates: Vec<Fate>,
        /// The test that noticed each first, where one is known.
        by: Vec<Option<TestId>>,
        left_out: Vec<String>,
    },
    Outside(BTreeMap<TestId, OutsideEnd>),
    Coverage(CoverageMeasure),
    Covering {
        report: TestReport,
        covered: Option<CoverageMeasure>,
    },
}

impl Done {
    fn report(&self) -> Option<&TestReport> {
        match self {
            Self::Ran { report, .. } => Some(report),
            Self::Changes { .. } | Self::Outside(_) | Self::Coverage(_) | Self::Covering { .. } => {
                None
            }
        }
    }
}

/// The reports among them, in order.
fn reports(done: &[Done]) -> Vec<TestReport> {
    done.iter().filter_map(Done::report).cloned().collect()
}

/// What became of the small changes among them.
fn fates(done: &[Done]) -> Option<&[Fate]> {
    done.iter().find_map(|done| match done {
        Done::Changes { fates, .. } => Some(fates.as_slice()),
        _ => None,
    })
}

/// Evidence, and what was left out on the way to it.
#[derive(Clone, Debug, Default)]
pub struct Found {
    pub evidence: Vec<Evidence>,
    pub left_out: Vec<String>,
}

impl Found {
    /// Says where only so many of these were tried.
    fn of_all(mut self, check: CheckName, what: &str, (tried, of): (usize, usize)) -> Self {
        if tried < of {
            let what = what.to_owned();
            self.evidence.push(Evidence::Untried(Untried { check, what, tried, of }));
        }
        self
    }
}

impl From<Evidence> for Found {
    fn from(evidence: Evidence) -> Self {
        Self { evidence: vec![evidence], left_out: Vec::new() }
    }
}

/// A list of experiments.
pub type List = Vec<Box<dyn Experiment>>;

/// The experiments of a verification, in groups: between two of them more may not be needed. First what a person asks
/// first: are the new tests red on the base, and do the old ones behave as they did?
pub fn all() -> Vec<List> {
    let mut first: List = vec![
        Box::new(replay::Replay),
        Box::new(older::Older),
        Box::new(orders::AnotherOrder),
        Box::new(orders::Again),
    ];
    let mut groups = beyond().into_iter();
    first.extend(groups.next().unwrap_or_default());
    // New and changed tests are observed by then.
    first.push(Box::new(Questions::Changed));
    let last: List = vec![Box::new(parts::Parts), Box::new(coverage::Coverage)];
    std::iter::once(first).chain(groups).chain([last]).collect()
}

/// What tells unsteady tests from those that head breaks: all that is left to try where nothing can be proven.
pub fn steadiness() -> Vec<List> {
    vec![vec![Box::new(orders::Again)]]
}

/// What is tried beyond running the tests. The green gate goes through these.
pub fn beyond() -> Vec<List> {
    let around: List = vec![
        Box::new(canaries::Canaries),
        Box::new(alone::Alone),
        Box::new(outside::Outside),
        Box::new(elsewhere::Elsewhere),
        Box::new(ambient::Ambient),
        Box::new(refusals::Refusals),
        Box::new(configured::Configured),
        Box::new(set_up::SetUp),
        Box::new(inputs::Inputs::default()),
        Box::new(Refactored::default()),
    ];
    vec![around, vec![Box::new(Mutants(Aim::Survivors))]]
}

#[cfg(test)]
mod tests;
