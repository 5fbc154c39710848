//! A run told as a cycle of red, green and refactor: what a history comes to, for people and for programs that gave the task.
//! Folds facts; judges nothing. What the gates measured is looked up by whoever asks.

mod markdown;
mod todo;

pub use markdown::{fix_log, marker, refused_marker, summary};
pub use todo::ticked;

use crate::agent::Told;
use crate::assignment::Route;
use crate::brief::Percent;
use crate::concern::Raised;
use crate::event::{Event, Turn};
use crate::fault::{advice_of_green, advice_of_red, advice_of_thin};
use crate::report::Counts;
use crate::run::Run;
use crate::turn::Claim;
use crate::words::{BlobId, TestId};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;

/// What a green gate measured, in numbers, and what failed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Measured {
    pub counts: Counts,
    pub coverage: Option<Percent>,
    /// Each failure in a line or a few.
    pub failures: Vec<String>,
}

impl Measured {
    pub fn total(&self) -> u32 {
        let Counts { passed, failed, errored, skipped } = self.counts;
        passed + failed + errored + skipped
    }

    /// The share of the tests that were run and pass.
    pub fn share(&self) -> Percent {
        let ran = self.total() - self.counts.skipped;
        Percent::of(self.counts.passed as usize, ran as usize)
    }
}

/// Finds what a gate measured by its evidence.
pub type Lookup<'a> = &'a dyn Fn(&BlobId) -> Option<Measured>;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Chronicle {
    pub red: Option<Red>,
    /// Times that the red gate refused.
    pub red_refusals: Vec<String>,
    /// The coder's tries: the first, and then each fix.
    pub tries: Vec<Try>,
    pub refactor: Refactor,
    pub test_files: BTreeSet<String>,
    pub code_files: BTreeSet<String>,
    /// What a person took of what only a person can say.
    pub accepted: Vec<Taken>,
}

/// Findings that a person took, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Taken {
    pub raised: Vec<Raised>,
    pub why: String,
}

/// What was proven to fail before the work.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Red {
    pub failing: Vec<TestId>,
    pub guards: Vec<TestId>,
    pub others: usize,
}

impl Red {
    pub fn written(&self) -> usize {
        self.failing.len() + self.guards.len() + self.others
    }
}

/// One turn of the coder, and what the gate said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Try {
    /// 0 for the first, then the number of the fix.
    pub fix: u32,
    pub why: Vec<String>,
    pub diagnosis: Option<String>,
    /// Why there is none, where one was asked for.
    pub no_diagnosis: Option<String>,
    pub description: String,
    pub changed: Vec<String>,
    pub before: Option<Measured>,
    pub after: Option<Measured>,
    pub end: TryEnd,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TryEnd {
    #[default]
    Open,
    Refused(Vec<String>),
    Green,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refactor {
    #[default]
    NotAsked,
    Nothing,
    Kept {
        files: Vec<String>,
    },
    Undone {
        why: Vec<String>,
    },
}

impl Chronicle {
    /// What a history comes to.
    pub fn of<'a>(history: impl IntoIterator<Item = &'a Event>, lookup: Lookup<'_>) -> Self {
        let mut told = Self::default();
        let mut pending = Try::default();
        for event in history {
            told.fold(event, lookup, &mut pending);
        }
        told
    }

    /// How many fixes were made.
    pub fn fixes(&self) -> u32 {
        self.tries.iter().map(|one| one.fix).max().unwrap_or(0)
    }

    /// What the last gate measured.
    pub fn last(&self) -> Option<&Measured> {
        self.tries.iter().rev().find_map(|one| one.after.as_ref())
    }

    pub fn files(&self) -> Vec<&str> {
        self.code_files.iter().chain(&self.test_files).map(String::as_str).collect()
    }

    fn fold(&mut self, event: &Event, lookup: Lookup<'_>, pending: &mut Try) {
        match event {
            Event::RedProven { anchor, .. } => {
                self.red = Some(Red {
                    failing: anchor.red().to_vec(),
                    guards: anchor.guards().to_vec(),
                    others: anchor.others().len(),
                });
            }
            Event::RedRefused { faults, .. } => {
                self.red_refusals.push(advice_of_red(faults).join(" "));
            }
            Event::Turned { turn } => self.turned(turn, pending),
            Event::DiagnosisSkipped { why } => pending.no_diagnosis = Some(why.clone()),
            Event::GreenRefused { faults, evidence, .. } => {
                let reasons = advice_of_green(faults);
                let measured = evidence.as_ref().and_then(lookup);
                self.end(TryEnd::Refused(reasons.clone()), measured.clone());
                *pending = self.next(reasons, measured);
            }
            Event::Audited { findings, .. } | Event::AuditorHeard { findings, .. }
                if !findings.is_empty() =>
            {
                *pending = self.next(findings.clone(), None);
            }
            Event::TestsTooThin { faults, evidence } => {
                self.end(TryEnd::Refused(advice_of_thin(faults)), lookup(evidence));
            }
            Event::GreenProven { evidence, .. } => self.end(TryEnd::Green, lookup(evidence)),
            Event::RefactoringUndone { faults, .. } => {
                self.refactor = Refactor::Undone { why: advice_of_green(faults) };
            }
            Event::Accepted { raised, why, .. } => {
                self.accepted.push(Taken { raised: raised.clone(), why: why.clone() });
            }
            Event::ReviewRejected { why }
            | Event::SentBack { why }
            | Event::ObjectionStands { why } => {
                pending.why = vec![why.clone()];
            }
            _ => {}
        }
    }

    fn next(&self, why: Vec<String>, before: Option<Measured>) -> Try {
        Try { fix: self.fixes() + 1, why, before, ..Try::default() }
    }

    fn end(&mut self, end: TryEnd, measured: Option<Measured>) {
        if let Some(last) = self.tries.last_mut() {
            last.end = end;
            last.after = measured.or(last.after.take());
        }
    }

    fn turned(&mut self, turn: &Turn, pending: &mut Try) {
        match &turn.claim {
            Claim::TestsWritten { .. } => self.test_files.extend(turn.changed.iter().cloned()),
            Claim::Diagnosed { .. } => pending.diagnosis = turn.claim.diagnosis(),
            Claim::Implemented { description, .. } => {
                self.code_files.extend(turn.changed.iter().cloned());
                let made = Try {
                    description: description.clone(),
                    changed: turn.changed.clone(),
                    ..std::mem::take(pending)
                };
                self.tries.push(made);
            }
            Claim::Refactored { .. } if turn.changed.is_empty() => {
                self.refactor = Refactor::Nothing;
            }
            Claim::Refactored { .. } => {
                self.code_files.extend(turn.changed.iter().cloned());
                self.refactor = Refactor::Kept { files: turn.changed.clone() };
            }
            _ => {}
        }
    }
}

/// The phase in which a run stands or stood when it ended, in the words of the cycle.
pub fn phase_of(run: &Run) -> &'static str {
    use crate::run::Stage;
    fn of(stage: &Stage) -> &'static str {
        match stage {
            Stage::Preparing => "Preparation",
            Stage::BringingTests
            | Stage::WritingTests { .. }
            | Stage::ProvingRed { .. }
            | Stage::Examining { .. } => "Red",
            Stage::Implementing { .. } | Stage::Diagnosing { .. } | Stage::AddingTests { .. } => {
                "Green"
            }
            Stage::ProvingGreen { of, .. } => match of.work() {
                crate::run::GreenOf::Refactoring { .. } => "Refactor",
                crate::run::GreenOf::Implementation
                | crate::run::GreenOf::Rebase
                | crate::run::GreenOf::Added { .. } => "Green",
            },
            Stage::Refactoring { .. } => "Refactor",
            Stage::Auditing { .. } | Stage::HearingAuditor { .. } => "Audit",
            Stage::Reviewing { .. } => "Review",
            Stage::AwaitingApproval { .. } => "Approval",
            Stage::Landing { .. } | Stage::Rebasing { .. } => "Landing",
            Stage::Paused { back, .. } => of(back),
            Stage::Settling { back, .. } | Stage::Closed { back, .. } => {
                back.as_ref().map_or("Preparation", |stage| of(stage))
            }
        }
    }
    of(&run.stage)
}

/// The names of the phases that a task goes through.
pub(crate) fn cycle_of(run: &Run, told: &Chronicle) -> &'static str {
    match (run.brief.assignment.route, &told.refactor) {
        (Route::Plain, _) => "implement",
        (Route::Cycle, _) => "code → test → audit",
        (Route::Tdd, Refactor::NotAsked) => "red → green",
        (Route::Tdd, Refactor::Nothing | Refactor::Kept { .. } | Refactor::Undone { .. }) => {
            "red → green → refactor"
        }
    }
}

/// What every turn came to, in one line.
pub(crate) fn attempted(run: &Run) -> String {
    let turns: Vec<String> = run
        .told
        .iter()
        .map(|Told { phase, attempt, .. }: &Told| format!("{phase} {attempt}"))
        .collect();
    let mut text = if turns.is_empty() { "no turn was taken".to_owned() } else { turns.join(", ") };
    let (fixes, reviews) = (run.counters.fixes, run.counters.reviews);
    for (count, what) in
        [(run.counters.red_refusals, "red refusals"), (fixes, "fixes"), (reviews, "reviews")]
    {
        if count > 0 {
            let _ = write!(text, "; {count} {what}");
        }
    }
    text
}

#[cfg(test)]
#[path = "chronicle/tests.rs"]
mod tests;
