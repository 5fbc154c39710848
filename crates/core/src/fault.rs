//! What a gate finds wanting, with advice that can be sent back as it is: each fault names the tests, says why,
//! and says what would be accepted.

use crate::brief::Percent;
use crate::verdict::CheckName;
use crate::words::TestId;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Names of tests, cut short so that a fact stays small; the evidence holds them all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Names {
    pub first: Vec<TestId>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(n: &usize) -> bool {
    *n == 0
}

impl Names {
    const SHOWN: usize = 40;

    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    pub fn len(&self) -> usize {
        self.first.len() + self.more
    }
}

impl FromIterator<TestId> for Names {
    fn from_iter<I: IntoIterator<Item = TestId>>(ids: I) -> Self {
        let mut first: Vec<TestId> = ids.into_iter().collect();
        first.sort();
        first.dedup();
        let more = first.len().saturating_sub(Self::SHOWN);
        first.truncate(Self::SHOWN);
        Self { first, more }
    }
}

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, id) in self.first.iter().enumerate() {
            write!(f, "{}{id}", if i == 0 { "" } else { ", " })?;
        }
        if self.more > 0 {
            write!(f, " and {} more", self.more)?;
        }
        Ok(())
    }
}

/// A test with what was wrong about it, in one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    pub test: TestId,
    pub why: String,
}

/// Why the red gate refuses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "kebab-case")]
pub enum RedFault {
    NothingNew,
    PassedTooEarly {
        tests: Names,
    },
    GuardsRefused {
        tests: Names,
    },
    WrongReason {
        tests: Vec<Named>,
    },
    /// For `refactor`: a test of today's behaviour must pass today.
    NotPinned {
        tests: Vec<Named>,
    },
    Hollow {
        tests: Vec<Named>,
    },
    Skipped {
        tests: Names,
    },
    NotCollected {
        tests: Names,
    },
    OldTestsGone {
        tests: Names,
    },
    BrokeOthers {
        tests: Names,
    },
    Flaky {
        tests: Names,
    },
    WrongCount {
        wanted: u32,
        found: u32,
    },
    /// The task names cases, and no new test is named after these.
    CasesMissing {
        cases: Vec<String>,
    },
    Unusable {
        why: String,
    },
    DidNotRun {
        why: String,
    },
    /// A turn that was to add tests changed or removed sealed ones.
    SealedTouched {
        tests: Names,
    },
    /// A test that was added when the work was green fails on it.
    AddedFail {
        tests: Names,
    },
    /// Once sealed, the coder could not take it out again.
    Secrets {
        findings: Vec<String>,
    },
    /// Found when the sealed tests were run again on the old code after green.
    NoLongerRed {
        tests: Names,
    },
}

impl RedFault {
    /// What goes back to the tester.
    pub fn advice(&self) -> String {
        match self {
            Self::NothingNew => {
                "No new or changed test was found. Write at least one new test in a place where the test tool collects it.".to_owned()
            }
            Self::PassedTooEarly { tests } => format!(
                "Tests passed prematurely. Write failing tests first. These new tests already pass on the old code: {tests}. At least one must fail because of what the task describes."
            ),
            Self::GuardsRefused { tests } => format!(
                "strict_red is set, and these new tests already pass on the old code: {tests}. Remove them or make them show what is missing."
            ),
            Self::WrongReason { tests } => format!(
                "These tests fail for a wrong reason: {}. Accepted: a failed assertion, a crash in the code under test, or a missing name that the task declares as a target (for a feature without targets: any name in the project's own code).",
                listed(tests)
            ),
            Self::NotPinned { tests } => format!(
                "A refactoring is pinned by tests that pass on today's code, and these do not: {}. Describe the current behaviour, not the wished one.",
                listed(tests)
            ),
            Self::Hollow { tests } => format!(
                "These tests are hollow: {}. A test must check a result of the code under test.",
                listed(tests)
            ),
            Self::Skipped { tests } => {
                format!("These tests are skipped or expected to fail: {tests}. Remove the mark, so that they run.")
            }
            Self::NotCollected { tests } => format!(
                "These tests stand in the source but the test tool never collected them: {tests}. Check file name, class, attributes and configuration."
            ),
            Self::OldTestsGone { tests } => {
                format!("These tests were there before and are gone: {tests}. Put them back as they were.")
            }
            Self::BrokeOthers { tests } => format!(
                "These older tests passed before and do not now, although no production code changed: {tests}. Leave them and what they share alone."
            ),
            Self::Flaky { tests } => format!(
                "These tests gave different results in two runs of the same tree: {tests}. Remove what depends on time, order, randomness or leftovers."
            ),
            Self::WrongCount { wanted, found } => {
                format!("The task asks for {wanted} new tests; {found} were collected.")
            }
            Self::CasesMissing { cases } => format!(
                "The task names these cases, and no new test that was collected is named after them: {}. Name one test after each, in the same words.",
                cases.join(", ")
            ),
            Self::Secrets { findings } => format!(
                "The tests hold what looks like a secret: {}. Use an obvious placeholder instead.",
                findings.join("; ")
            ),
            Self::SealedTouched { tests } => format!(
                "These tests are sealed and were changed or removed: {tests}. Leave them as they are and add new ones beside them."
            ),
            Self::AddedFail { tests } => format!(
                "These added tests fail on the finished work: {tests}. Tests that are added now describe what the work does; each must pass."
            ),
            Self::Unusable { why } => format!("The tests can't be used: {why}"),
            Self::DidNotRun { why } => format!("The tests did not run to their end: {why}"),
            Self::NoLongerRed { tests } => format!(
                "After the work was green the same tests were run again on the old code, and these passed there: {tests}. They do not depend on the change; make them depend on the code under test alone."
            ),
        }
    }
}

/// What the tests of a finished work leave open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "kebab-case")]
pub enum ThinFault {
    Coverage {
        /// The changed lines, or a target.
        what: String,
        reached: Percent,
        wanted: Percent,
        /// `cart.py:3-5, 9`.
        missed: Vec<String>,
    },
    /// Small changes of the work that no test notices.
    Mutants {
        survived: usize,
        tried: usize,
        /// The largest share that may survive.
        allowed: Percent,
        /// What was changed, as a diff each; the first few.
        diffs: Vec<String>,
    },
}

impl ThinFault {
    /// What goes back to the tester.
    pub fn advice(&self) -> String {
        match self {
            Self::Coverage { what, reached, wanted, missed } => format!(
                "The tests run {reached} of {what}; {wanted} is asked for. Lines that no test runs: {}. Add tests for them; the code stays as it is.",
                missed.join("; ")
            ),
            Self::Mutants { survived, tried, allowed, diffs } => format!(
                "Of {tried} small changes of the new code {survived} went unnoticed by every test ({allowed} may). Add tests that fail with these changes; the code stays as it is:\n\n{}",
                diffs.join("\n")
            ),
        }
    }
}

pub fn advice_of_thin(faults: &[ThinFault]) -> Vec<String> {
    faults.iter().map(ThinFault::advice).collect()
}

/// Why the green gate refuses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "kebab-case")]
pub enum GreenFault {
    NothingChanged,
    StillRed {
        tests: Names,
    },
    BrokeOthers {
        tests: Names,
    },
    Vanished {
        tests: Names,
    },
    NewlySkipped {
        tests: Names,
    },
    Flaky {
        tests: Names,
    },
    /// Did not collect or compile.
    Unusable {
        why: String,
    },
    DidNotRun {
        why: String,
    },
    /// A second appeal: the first one was heard.
    AppealSpent {
        why: String,
    },
    /// The tests pass, but trials of the harness, of each test alone or with other inputs show that this proves nothing.
    Probed {
        check: CheckName,
        findings: Vec<String>,
    },
    /// The tests pass, but a person would have to look before anything is proven. The coder is told so once.
    Doubted {
        check: CheckName,
        findings: Vec<String>,
    },
    /// Tests that a second agent wrote from the task's text alone fail. They leave a doubt; the coder is told so once.
    Examined {
        failed: usize,
        of: usize,
    },
    /// For the coder alone: how many of the tests fail that it is not shown.
    HeldOut {
        failed: usize,
        of: usize,
    },
    /// For the coder alone: what is wrong lies in tests that it is not shown.
    Unshown,
}

impl GreenFault {
    /// Whether it says no more than that only some of the tests were run.
    pub(crate) fn is_of_a_part(&self) -> bool {
        matches!(self, Self::DidNotRun { why } if why == crate::proof::NOT_WHOLE)
    }

    /// Whether it leaves a doubt, and no more than that.
    pub(crate) fn is_a_doubt(&self) -> bool {
        matches!(self, Self::Doubted { .. } | Self::Examined { .. })
    }

    /// What goes back to the coder.
    pub fn advice(&self) -> String {
        match self {
            Self::NothingChanged => "Nothing changed in the production code.".to_owned(),
            Self::StillRed { tests } => format!("Sealed tests that do not pass yet: {tests}."),
            Self::BrokeOthers { tests } => {
                format!("Tests that passed before and fail now: {tests}.")
            }
            Self::Vanished { tests } => {
                format!(
                    "Tests that were there before and are gone: {tests}. They must stay and pass."
                )
            }
            Self::NewlySkipped { tests } => {
                format!(
                    "Tests that ran before and are skipped now: {tests}. They must run and pass."
                )
            }
            Self::Flaky { tests } => {
                format!("Tests that gave different results in two runs of the same tree: {tests}.")
            }
            Self::Unusable { why } => format!("It does not compile or collect: {why}"),
            Self::DidNotRun { why } => format!("The tests did not run to their end: {why}"),
            Self::AppealSpent { why } => format!(
                "The tests were disputed once and stand. They were disputed again: {why}. Make them pass, or say DISCARDED."
            ),
            Self::Probed { check, findings } => format!(
                "The tests pass, but the {check} check shows that this proves nothing: {}",
                findings.join("; ")
            ),
            Self::Doubted { check, findings } => format!(
                "The tests pass, but the {check} check leaves a doubt: {}. Make the work right for every input; where it is right already, leave it as it is, and a person looks at it.",
                findings.join("; ")
            ),
            Self::Examined { failed, of } => format!(
                "The tests pass, but {failed} of {of} tests that another agent wrote from the task's text alone fail. You are not shown them: read the task once more and make the code right for every input that it speaks of. Where it is right already, leave it as it is, and a person looks at it."
            ),
            Self::HeldOut { failed, of } => format!(
                "{failed} of {of} held-out tests fail. They ask for nothing that the task does not say, and you are not shown them: make the code right for every input."
            ),
            Self::Unshown => {
                "The whole suite does not pass, for a reason that lies in tests that you are not shown.".to_owned()
            }
        }
    }
}

/// The first few with their reasons; the evidence holds them all.
fn listed(tests: &[Named]) -> String {
    const SHOWN: usize = 12;
    let mut shown: Vec<String> =
        tests.iter().take(SHOWN).map(|n| format!("{} ({})", n.test, n.why)).collect();
    if tests.len() > SHOWN {
        shown.push(format!("and {} more", tests.len() - SHOWN));
    }
    shown.join("; ")
}

/// The advice of several faults, one a line.
pub fn advice_of_red(faults: &[RedFault]) -> Vec<String> {
    faults.iter().map(RedFault::advice).collect()
}

pub fn advice_of_green(faults: &[GreenFault]) -> Vec<String> {
    faults.iter().map(GreenFault::advice).collect()
}
