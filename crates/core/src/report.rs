//! What one run of a test tool showed, in the same words for every tool. Only `tools` makes these;
//! only proofs judge them.

use crate::words::TestId;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestReport {
    pub end: RunEnd,
    pub cases: BTreeMap<TestId, Case>,
}

impl TestReport {
    /// The same with every message put into other words; names and places stay.
    #[must_use]
    pub fn reworded(self, word: &dyn Fn(&str) -> String) -> Self {
        let end = match self.end {
            RunEnd::CollectFailed { errors } => RunEnd::CollectFailed {
                errors: errors
                    .into_iter()
                    .map(|CollectError { place, reason }| CollectError {
                        place,
                        reason: reason.reworded(word),
                    })
                    .collect(),
            },
            RunEnd::Crashed { note } => RunEnd::Crashed { note: word(&note) },
            RunEnd::Suspect { note } => RunEnd::Suspect { note: word(&note) },
            end @ (RunEnd::Finished | RunEnd::NoTests | RunEnd::TimedOut { .. }) => end,
        };
        let case = |(id, case): (TestId, Case)| {
            let end = match case.end {
                CaseEnd::Failed { reason } => CaseEnd::Failed { reason: reason.reworded(word) },
                CaseEnd::Errored { message } => CaseEnd::Errored { message: word(&message) },
                CaseEnd::Skipped { why } => CaseEnd::Skipped { why: word(&why) },
                CaseEnd::Passed => CaseEnd::Passed,
            };
            (id, Case { end, ..case })
        };
        Self { end, cases: self.cases.into_iter().map(case).collect() }
    }
}

/// How the run as a whole ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "kebab-case")]
pub enum RunEnd {
    /// The tool ran to its end and exit code, report and counts agree.
    Finished,
    NoTests,
    /// Some or all test files could not be collected or compiled. Cases of the others may be there.
    CollectFailed {
        errors: Vec<CollectError>,
    },
    /// Ended at its time limit; `running` where the tool told which test it was in.
    TimedOut {
        running: Option<TestId>,
    },
    /// The tool itself broke (killed, internal error, could not start).
    Crashed {
        note: String,
    },
    /// Exit code, report and counts disagree. Never green, never red.
    Suspect {
        note: String,
    },
}

/// A file that could not be collected or compiled, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollectError {
    pub place: Place,
    pub reason: Reason,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    pub end: CaseEnd,
    /// Milliseconds that it took, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took_ms: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "case", rename_all = "kebab-case")]
pub enum CaseEnd {
    Passed,
    /// Failed in the test's own body, or in its set-up where the project's own code broke or lacks a name.
    Failed {
        reason: Reason,
    },
    /// Broke in the tests' own set-up, or in tear-down: never red.
    Errored {
        message: String,
    },
    /// Skipped, ignored, expected to fail: never passed.
    Skipped {
        why: String,
    },
}

impl CaseEnd {
    pub fn word(&self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed { .. } => "failed",
            Self::Errored { .. } => "errored",
            Self::Skipped { .. } => "skipped",
        }
    }
}

/// Why a test failed or a file could not be collected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum Reason {
    /// An assertion did not hold.
    Assertion { message: String, place: Option<Place> },
    /// A name does not exist (yet): import, symbol, method, field, file.
    Missing { name: String, owner: Owner, message: String, place: Option<Place> },
    /// The code under test broke: an exception or panic that arose in the project's production code,
    /// or, where a language has no other way to fail (Rust), a panic in the test body itself.
    Panic { message: String, place: Option<Place> },
    /// Anything else: a syntax error, an exception in the test's own code, a missing file, no network.
    Other { message: String, place: Option<Place> },
}

impl Reason {
    fn reworded(self, word: &dyn Fn(&str) -> String) -> Self {
        match self {
            Self::Assertion { message, place } => {
                Self::Assertion { message: word(&message), place }
            }
            Self::Missing { name, owner, message, place } => {
                Self::Missing { name, owner, message: word(&message), place }
            }
            Self::Panic { message, place } => Self::Panic { message: word(&message), place },
            Self::Other { message, place } => Self::Other { message: word(&message), place },
        }
    }

    /// Whether the project's own code is why: it broke, or lacks a name. A set-up that fails so is as red as a test.
    pub fn is_of_the_project(&self) -> bool {
        matches!(self, Self::Panic { .. } | Self::Missing { owner: Owner::Project, .. })
    }

    pub fn message(&self) -> &str {
        match self {
            Self::Assertion { message, .. }
            | Self::Missing { message, .. }
            | Self::Panic { message, .. }
            | Self::Other { message, .. } => message,
        }
    }

    pub fn place(&self) -> Option<&Place> {
        match self {
            Self::Assertion { place, .. }
            | Self::Missing { place, .. }
            | Self::Panic { place, .. }
            | Self::Other { place, .. } => place.as_ref(),
        }
    }

    pub fn word(&self) -> &'static str {
        match self {
            Self::Assertion { .. } => "assertion",
            Self::Missing { .. } => "missing name",
            Self::Panic { .. } => "crash in the code under test",
            Self::Other { .. } => "other",
        }
    }
}

/// Whose code would hold a missing name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Owner {
    /// The project's own code, now or as it would be.
    Project,
    /// A third-party module, the standard library, a built-in type.
    Elsewhere,
    /// Nothing but the test itself could supply it (a bare undefined name in the test's body).
    TestItself,
}

/// A place in the tree that was tested: path relative to its root, with `/`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    pub file: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.file),
            None => f.write_str(&self.file),
        }
    }
}

/// Which lines of the tree ran, of those that could; by path relative to the tree's root, with `/`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineCoverage {
    pub files: BTreeMap<String, Lines>,
}

/// Line numbers, from one. A line in neither set holds nothing that could run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lines {
    pub hit: BTreeSet<u32>,
    pub missed: BTreeSet<u32>,
}

impl TestReport {
    pub fn empty(end: RunEnd) -> Self {
        Self { end, cases: BTreeMap::new() }
    }

    pub fn passed(&self, id: &TestId) -> bool {
        self.cases.get(id).is_some_and(|case| case.end == CaseEnd::Passed)
    }

    pub fn counts(&self) -> Counts {
        Counts::of(self.cases.values())
    }
}

impl Counts {
    pub fn of<'a>(cases: impl IntoIterator<Item = &'a Case>) -> Self {
        let mut counts = Self::default();
        for case in cases {
            match case.end {
                CaseEnd::Passed => counts.passed += 1,
                CaseEnd::Failed { .. } => counts.failed += 1,
                CaseEnd::Errored { .. } => counts.errored += 1,
                CaseEnd::Skipped { .. } => counts.skipped += 1,
            }
        }
        counts
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub passed: u32,
    pub failed: u32,
    pub errored: u32,
    pub skipped: u32,
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed", self.passed)?;
        for (count, word) in
            [(self.failed, "failed"), (self.errored, "errored"), (self.skipped, "skipped")]
        {
            if count > 0 {
                write!(f, ", {count} {word}")?;
            }
        }
        Ok(())
    }
}
