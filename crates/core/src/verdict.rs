//! The proof for any branch, in the words that `proctor verify` prints: checks, findings, one verdict. Measuring is
//! the engine's work; what the measurements mean is judged here and nowhere else.

use crate::branch::Mutant;
use crate::claims::ClaimHeld;
use crate::concern::Concern;
use crate::generality::Observed;
use crate::looked::Looked;
use crate::report::Place;
use crate::words::{CommitId, TestId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Proven,
    /// Nothing that any build or test opens, and that no code names, changed.
    Unaffected,
    Refuted,
    Inconclusive,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Self::Proven => "proven",
            Self::Unaffected => "unaffected",
            Self::Refuted => "refuted",
            Self::Inconclusive => "inconclusive",
        }
    }

    pub fn exit_code(self) -> u8 {
        match self {
            Self::Proven | Self::Unaffected => 0,
            Self::Refuted => 1,
            Self::Inconclusive => 4,
        }
    }
}

/// What is checked, in the order in which it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckName {
    RedReplay,
    Green,
    Regression,
    TestsIntact,
    Harness,
    Isolation,
    Mutants,
    Source,
    Coverage,
}

impl CheckName {
    pub const ALL: [Self; 9] = [
        Self::RedReplay,
        Self::Green,
        Self::Regression,
        Self::TestsIntact,
        Self::Harness,
        Self::Isolation,
        Self::Mutants,
        Self::Source,
        Self::Coverage,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::RedReplay => "red-replay",
            Self::Green => "green",
            Self::Regression => "regression",
            Self::TestsIntact => "tests-intact",
            Self::Harness => "harness",
            Self::Isolation => "isolation",
            Self::Mutants => "mutants",
            Self::Source => "source",
            Self::Coverage => "coverage",
        }
    }

    /// Without these nothing is proven.
    pub fn is_required(self) -> bool {
        !matches!(self, Self::Mutants | Self::Source | Self::Coverage)
    }
}

impl std::fmt::Display for CheckName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckStatus {
    Pass,
    Fail,
    Warn,
    /// Not asked for, or nothing to check.
    Skip,
    /// It could not be made.
    Error,
}

impl CheckStatus {
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Warn => "warn",
            Self::Skip => "skip",
            Self::Error => "error",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    pub name: CheckName,
    pub status: CheckStatus,
    /// One line.
    pub summary: String,
    #[serde(default)]
    pub details: Vec<Finding>,
}

/// One thing that a check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub weight: Weight,
    /// By what name a person accepts it; none where there is nothing to accept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Concern>,
    /// What is so, and what would be accepted.
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<TestId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
}

/// What a finding does to the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weight {
    /// Told, nothing more.
    Note,
    /// Shown as a warning.
    Warning,
    /// Nothing is proven until a person has looked.
    NeedsPerson,
    /// Could not be judged.
    Unjudged,
    /// Refutes.
    Refutes,
}

/// What one test was on both sides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestRow {
    /// `passed`, `failed`, `errored`, `skipped`, `flaky`, or `absent`.
    pub base: String,
    pub head: String,
    /// What head's text of it was on the base's code, where it was run there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replayed: Option<String>,
    pub change: Change,
}

impl TestRow {
    /// Whether it is one of the tests that the change is about: it turned green, or is new, or fails without the change.
    pub fn is_shown(&self) -> bool {
        let fails = matches!(self.replayed.as_deref(), Some("failed" | "errored"));
        fails || matches!(self.change, Change::Fixed | Change::New)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    Regression,
    Fixed,
    PreExisting,
    Flaky,
    New,
    Vanished,
    NewlySkipped,
    Unchanged,
}

impl Change {
    pub fn name(self) -> &'static str {
        match self {
            Self::Regression => "regression",
            Self::Fixed => "fixed",
            Self::PreExisting => "pre-existing",
            Self::Flaky => "flaky",
            Self::New => "new",
            Self::Vanished => "vanished",
            Self::NewlySkipped => "newly-skipped",
            Self::Unchanged => "unchanged",
        }
    }
}

/// The whole answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verification {
    pub verdict: Verdict,
    /// Why, in one line.
    pub reason: String,
    /// The commit that head is compared with: the merge base.
    pub base: CommitId,
    pub head: CommitId,
    pub checks: Vec<Check>,
    pub tests: BTreeMap<TestId, TestRow>,
    /// What both sides answer to the new tests' inputs, and to others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observations: Vec<Observed>,
    /// Small changes of the changed lines, and what became of each. Reports of mutants hold them; the JSON does not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mutants: Vec<Mutant>,
    /// Which part of the change is shown by which test, and parts that none shows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub looked: Vec<Looked>,
    /// What was left out, and why.
    #[serde(default)]
    pub left_out: Vec<String>,
    /// How many milliseconds it took.
    pub took_ms: u64,
    /// Whether all of it is known from an earlier time, with the same trees, tools and rules.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub kept: bool,
    /// What a description claims, beside what was measured. It decides nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<ClaimHeld>,
}

impl Finding {
    pub fn new(weight: Weight, text: impl Into<String>) -> Self {
        Self { weight, kind: None, text: text.into(), test: None, place: None, diff: None }
    }

    /// One that waits for a person.
    pub fn for_person(kind: Concern, text: impl Into<String>) -> Self {
        Self { kind: Some(kind), ..Self::new(Weight::NeedsPerson, text) }
    }

    #[must_use]
    pub fn of(mut self, test: &TestId) -> Self {
        self.test = Some(test.clone());
        self
    }

    #[must_use]
    pub fn at(mut self, place: &Place) -> Self {
        self.place = Some(place.clone());
        self
    }

    #[must_use]
    pub fn with_diff(mut self, diff: impl Into<String>) -> Self {
        self.diff = Some(diff.into());
        self
    }
}

impl Check {
    /// A check whose status follows from what it found.
    pub fn of(name: CheckName, fine: impl Into<String>, mut details: Vec<Finding>) -> Self {
        for finding in &mut details {
            finding.kind = finding.kind.or(Concern::of(name, finding.weight));
        }
        let worst = details.iter().map(|finding| finding.weight).max();
        let status = match worst {
            None | Some(Weight::Note) => CheckStatus::Pass,
            Some(Weight::Warning | Weight::NeedsPerson) => CheckStatus::Warn,
            Some(Weight::Unjudged) => CheckStatus::Error,
            Some(Weight::Refutes) => CheckStatus::Fail,
        };
        let heaviest = details.iter().filter(|f| Some(f.weight) == worst);
        let summary = match status {
            CheckStatus::Pass | CheckStatus::Skip => fine.into(),
            CheckStatus::Warn | CheckStatus::Error | CheckStatus::Fail => {
                let mut texts = heaviest.map(|f| f.text.lines().next().unwrap_or_default());
                let first = texts.next().unwrap_or_default().to_owned();
                match texts.count() {
                    0 => first,
                    more => format!("{first} (and {more} more)"),
                }
            }
        };
        Self { name, status, summary, details }
    }

    pub fn skipped(name: CheckName, why: impl Into<String>) -> Self {
        Self { name, status: CheckStatus::Skip, summary: why.into(), details: Vec::new() }
    }

    fn needs_person(&self) -> bool {
        self.details.iter().any(|finding| finding.weight == Weight::NeedsPerson)
    }
}

/// One cause, told once: a check that could not be made for the very reason of an earlier one only names that one.
#[must_use]
pub fn told_once(checks: Vec<Check>) -> Vec<Check> {
    let mut told: Vec<Check> = Vec::new();
    for mut check in checks {
        let same = |earlier: &&Check| {
            check.status == CheckStatus::Error
                && earlier.status == CheckStatus::Error
                && earlier.details == check.details
        };
        if let Some(earlier) = told.iter().find(same) {
            check.summary = format!("not made, for the same reason as {}", earlier.name);
            check.details.clear();
        }
        told.push(check);
    }
    told
}

/// The verdict of these checks, and why.
pub fn judge(checks: &[Check]) -> (Verdict, String) {
    let told = |check: &Check| format!("{}: {}", check.name, check.summary);
    if let Some(failed) = checks.iter().find(|check| check.status == CheckStatus::Fail) {
        return (Verdict::Refuted, told(failed));
    }
    let unmade = |name: &CheckName| {
        let found = checks.iter().find(|check| check.name == *name);
        found.is_none_or(|c| matches!(c.status, CheckStatus::Skip | CheckStatus::Error))
    };
    if let Some(name) =
        CheckName::ALL.iter().filter(|name| name.is_required()).find(|name| unmade(name))
    {
        let why = checks.iter().find(|c| c.name == *name);
        let why = why.map_or_else(|| format!("{name}: it was not made"), told);
        return (Verdict::Inconclusive, why);
    }
    // A check that may be left out is no proof where it was begun and broke. Coverage shows nothing by itself.
    let broke = |c: &&Check| c.status == CheckStatus::Error && c.name != CheckName::Coverage;
    if let Some(check) = checks.iter().find(|c| c.needs_person()).or(checks.iter().find(broke)) {
        return (Verdict::Inconclusive, told(check));
    }
    (Verdict::Proven, "every required check was made and holds".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_pass() -> Vec<Check> {
        CheckName::ALL.iter().map(|name| Check::of(*name, "fine", Vec::new())).collect()
    }

    fn with(name: CheckName, weight: Weight) -> Vec<Check> {
        let mut checks = all_pass();
        checks.retain(|check| check.name != name);
        checks.push(Check::of(name, "", vec![Finding::new(weight, "look")]));
        checks
    }

    #[test]
    fn any_check_that_fails_refutes() {
        for name in CheckName::ALL {
            assert_eq!(judge(&with(name, Weight::Refutes)).0, Verdict::Refuted, "{name}");
        }
        assert_eq!(judge(&all_pass()).0, Verdict::Proven);
    }

    #[test]
    fn a_required_check_that_could_not_be_made_leaves_it_open() {
        for name in CheckName::ALL {
            let wanted = if name.is_required() { Verdict::Inconclusive } else { Verdict::Proven };
            let without: Vec<Check> =
                all_pass().into_iter().filter(|check| check.name != name).collect();
            assert_eq!(judge(&without).0, wanted, "{name} missing");
        }
    }

    #[test]
    fn a_check_that_broke_leaves_it_open_also_where_it_may_be_left_out() {
        for name in CheckName::ALL.into_iter().filter(|name| *name != CheckName::Coverage) {
            let (verdict, why) = judge(&with(name, Weight::Unjudged));
            assert_eq!(verdict, Verdict::Inconclusive, "{name}");
            assert_eq!(why, format!("{name}: look"));
        }
        assert_eq!(judge(&with(CheckName::Coverage, Weight::Unjudged)).0, Verdict::Proven);
    }

    #[test]
    fn what_one_cause_left_unmade_is_told_once_and_stays_unmade() {
        let broken = |name: &CheckName| {
            Check::of(*name, "", vec![Finding::new(Weight::Unjudged, "no tree\nhint: make one")])
        };
        let checks = told_once(CheckName::ALL.iter().map(broken).collect());
        let details: usize = checks.iter().map(|check| check.details.len()).sum();
        assert_eq!(details, 1);
        assert_eq!(checks[8].summary, "not made, for the same reason as red-replay");
        assert!(checks.iter().all(|check| check.status == CheckStatus::Error));
        assert_eq!(judge(&checks), (Verdict::Inconclusive, "red-replay: no tree".to_owned()));
        let other = with(CheckName::Green, Weight::Refutes);
        assert_eq!(told_once(other.clone()), other);
    }

    #[test]
    fn a_finding_for_a_person_leaves_it_open_and_a_warning_does_not() {
        for name in CheckName::ALL {
            assert_eq!(judge(&with(name, Weight::NeedsPerson)).0, Verdict::Inconclusive);
            assert_eq!(judge(&with(name, Weight::Warning)).0, Verdict::Proven);
        }
    }
}
