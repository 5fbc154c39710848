//! Evidence. A proof has private fields and one door in: judging reports that Proctor measured itself.

mod added;
mod coverage;
mod green;
mod held;
mod probed;
mod red;
mod tidied;

pub use coverage::CoverageMeasure;
pub use green::GreenVerdict;
pub(crate) use green::NOT_WHOLE;
pub use held::HeldOut;
pub(crate) use held::told;
pub use red::{RedRule, Sorted};
pub use tidied::{Kills, Tidied};

use crate::assignment::Route;
use crate::branch::BranchMeasure;
use crate::brief::{Brief, Percent};
use crate::examined::Examined;
use crate::fault::RedFault;
use crate::generality::Observed;
use crate::item::ItemChanges;
use crate::report::{CaseEnd, CollectError, RunEnd, TestReport};
use crate::words::{CommitId, TestId, TreeId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A commit in the shadow and its tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    pub commit: CommitId,
    pub tree: TreeId,
}

/// What the red gate measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedMeasure {
    pub baseline: TestReport,
    /// The tests on the base's production code, one report a repeat.
    pub runs: Vec<TestReport>,
    pub items: ItemChanges,
    /// What looks like a secret in the tests, each with its place and never with its value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<String>,
    #[serde(default)]
    pub again: Again,
    /// What the coder is not to see, where a share was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out: Option<HeldOut>,
}

/// What the green gate measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GreenMeasure {
    pub baseline: TestReport,
    /// The tests that matter most, run before the whole of a long suite. Where one of them fails, the rest is not run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub early: Option<TestReport>,
    pub runs: Vec<TestReport>,
    /// The same without the tests that the coder is not shown, where the work was refused: what it may be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<TestReport>,
    /// The sealed tests on the old production code once more, after green.
    pub replay: Option<TestReport>,
    #[serde(default)]
    pub again: Again,
    /// Which lines ran, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<CoverageMeasure>,
    /// After a turn that only added tests: what it added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub added: Option<Added>,
    /// Trials of the harness, of each test alone and with other inputs, and mutants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probe: Option<Box<BranchMeasure>>,
    /// What the work says to tests of a second agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub examined: Option<Examined>,
    /// After a refactoring that changed tests: what was measured of them. The rest is then about the work with the originals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tidied: Option<Box<Tidied>>,
}

impl GreenMeasure {
    /// What the assertions of the new tests saw on both sides, with their own inputs and with others.
    pub fn observed(&self) -> Vec<Observed> {
        let all = |probe: &BranchMeasure| Observed::all(&probe.varied, &probe.older);
        self.probe.as_deref().map(all).unwrap_or_default()
    }
}

/// Old tests that failed, run some more times: is it the work, or were they unsteady before?
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Again {
    pub base: Vec<TestReport>,
    pub head: Vec<TestReport>,
}

impl Again {
    /// Whether a test's failure is no news: it fails now and then on the base too, and does pass on the new tree. One
    /// that never passes there is not excused, however unsteady it was before.
    pub(crate) fn excuses(&self, id: &TestId, runs: &[TestReport]) -> bool {
        let failed = |run: &TestReport| {
            let end = run.cases.get(id).map(|case| &case.end);
            matches!(end, Some(CaseEnd::Failed { .. } | CaseEnd::Errored { .. }))
        };
        self.base.iter().any(failed) && runs.iter().chain(&self.head).any(|run| run.passed(id))
    }
}

/// What a turn added that was to add nothing but tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Added {
    /// Against the tests that were sealed before.
    pub items: ItemChanges,
    /// All tests on the old production code.
    pub tests: Point,
}

/// New tests exist, ran, and fail for a right reason, while nothing that used to pass broke.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedProof {
    at: Point,
    red: Vec<TestId>,
    guards: Vec<TestId>,
    /// Sealed too, though they prove nothing: they fail in their own code, or could not be run yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    others: Vec<TestId>,
    changed: Vec<TestId>,
    /// Of the red ones those that never end on the old code, where that is the bug.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    hanging: Vec<TestId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    held_out: Option<HeldOut>,
}

/// New tests exist and pass on today's code: the anchor of a refactoring.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PinProof {
    at: Point,
    pinned: Vec<TestId>,
    changed: Vec<TestId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    held_out: Option<HeldOut>,
}

/// A task that goes the plain way has no tests of its own: it is held against what passed before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenGround {
    at: Point,
    /// Tests that were added when the work was green.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    added: Vec<TestId>,
}

/// What an implementation is held against.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "anchor", rename_all = "kebab-case")]
pub enum Anchor {
    Red(RedProof),
    Pinned(PinProof),
    Open(OpenGround),
}

/// The anchor's tests pass, repeatedly, and the rest of the suite still does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GreenProof {
    at: Point,
    base: CommitId,
    passed: u32,
    /// The share of the changed lines that the tests run, where it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    coverage: Option<Percent>,
}

impl Anchor {
    /// The only way to an anchor: judge what was measured at `at`.
    pub fn judge(brief: &Brief, measure: &RedMeasure, at: &Point) -> Result<Self, Vec<RedFault>> {
        red::RedJudge { brief, measure }.judge(at)
    }

    /// What a task that asks for no red gate is held against; none where one is asked for.
    pub fn open(brief: &Brief, at: Point) -> Option<Self> {
        match brief.assignment.route {
            Route::Plain | Route::Cycle => Some(Self::Open(OpenGround { at, added: Vec::new() })),
            Route::Tdd => None,
        }
    }

    /// Whether there was no red gate.
    pub fn is_open(&self) -> bool {
        matches!(self, Self::Open(_))
    }

    pub fn at(&self) -> &Point {
        match self {
            Self::Red(proof) => &proof.at,
            Self::Pinned(proof) => &proof.at,
            Self::Open(ground) => &ground.at,
        }
    }

    /// Tests that must fail on the old code.
    pub fn red(&self) -> &[TestId] {
        match self {
            Self::Red(proof) => &proof.red,
            Self::Pinned(_) | Self::Open(_) => &[],
        }
    }

    /// New tests that already pass on the old code.
    pub fn guards(&self) -> &[TestId] {
        match self {
            Self::Red(proof) => &proof.guards,
            Self::Pinned(proof) => &proof.pinned,
            Self::Open(ground) => &ground.added,
        }
    }

    /// Tests of the base whose text the tester changed: a person is shown them.
    pub fn changed(&self) -> &[TestId] {
        match self {
            Self::Red(proof) => &proof.changed,
            Self::Pinned(proof) => &proof.changed,
            Self::Open(_) => &[],
        }
    }

    /// Tests that fail on the old code for a reason that proves nothing; they must pass in the end all the same.
    pub fn others(&self) -> &[TestId] {
        match self {
            Self::Red(proof) => &proof.others,
            Self::Pinned(_) | Self::Open(_) => &[],
        }
    }

    /// Red tests that never end on the old code.
    fn hanging(&self) -> &[TestId] {
        match self {
            Self::Red(proof) => &proof.hanging,
            Self::Pinned(_) | Self::Open(_) => &[],
        }
    }

    pub fn sealed(&self) -> impl Iterator<Item = &TestId> {
        self.red().iter().chain(self.guards()).chain(self.others())
    }

    /// The same tests on a base that moved. Nothing is proven by this: a green gate with its replay follows.
    #[must_use]
    pub fn moved(mut self, to: Point) -> Self {
        match &mut self {
            Self::Red(proof) => proof.at = to,
            Self::Pinned(proof) => proof.at = to,
            Self::Open(ground) => ground.at = to,
        }
        self
    }
}

/// The tests of a report that passed.
pub fn passed_ids(report: &TestReport) -> impl Iterator<Item = &TestId> {
    report.cases.iter().filter(|(_, case)| case.end == CaseEnd::Passed).map(|(id, _)| id)
}

/// Whether a run came to an end that can be judged at all.
pub(crate) fn ran(report: &TestReport) -> Result<(), String> {
    match &report.end {
        RunEnd::Finished | RunEnd::CollectFailed { .. } | RunEnd::NoTests => Ok(()),
        RunEnd::TimedOut { running: Some(id) } => {
            Err(format!("the run was ended at its time limit while {id} was running"))
        }
        RunEnd::TimedOut { running: None } => Err("the run was ended at its time limit".to_owned()),
        RunEnd::Crashed { note } => Err(format!("the test tool broke: {note}")),
        RunEnd::Suspect { note } => Err(format!("exit code, report and counts disagree: {note}")),
    }
}

/// Collect errors in files that could be collected at the baseline.
pub(crate) fn fresh_errors(baseline: &TestReport, run: &TestReport) -> Vec<CollectError> {
    let RunEnd::CollectFailed { errors } = &run.end else {
        return Vec::new();
    };
    let known: BTreeSet<&str> = match &baseline.end {
        RunEnd::CollectFailed { errors } => errors.iter().map(|e| e.place.file.as_str()).collect(),
        _ => BTreeSet::new(),
    };
    errors.iter().filter(|e| !known.contains(e.place.file.as_str())).cloned().collect()
}

pub(crate) fn errors_in_words(errors: &[CollectError]) -> String {
    let mut lines: Vec<String> =
        errors.iter().map(|e| format!("{}: {}", e.place, first_line(e.reason.message()))).collect();
    lines.dedup();
    let more = lines.len().saturating_sub(10);
    lines.truncate(10);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    lines.join("; ")
}

pub(crate) fn first_line(text: &str) -> &str {
    text.lines().map(str::trim).find(|l| !l.is_empty()).unwrap_or("no message")
}

#[cfg(test)]
#[path = "proof/tests.rs"]
pub(crate) mod tests;

#[cfg(test)]
#[path = "proof/repeat_tests.rs"]
mod repeat_tests;
