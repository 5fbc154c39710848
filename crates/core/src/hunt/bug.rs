//! A bug's own part of the fold: how it stands after each fact, and what its page says. Nothing that is written is ever
//! taken back.

use super::{Bug, BugStatus, RunNotes, Section, Sighting, Standing, TddResult};
use crate::turn::{Approach, Chance, Suspect};
use crate::words::{Millis, Status};
use std::fmt::Write;

/// How the reason of a bug begins that the next hunt classifies again.
pub(super) const NOT_CLASSIFIED: &str = "it could not be classified: ";

pub(super) fn found(
    id: &str,
    entrypoint: &str,
    suspect: &Suspect,
    standing: &Standing,
    at: Millis,
) -> Bug {
    let (status, reason, duplicate_of) = match standing {
        Standing::Fresh => (BugStatus::Suspected, String::new(), None),
        Standing::SetAside { why } => (BugStatus::Suspected, why.clone(), None),
        Standing::Duplicate { of, why } => (BugStatus::Duplicate, why.clone(), Some(of.clone())),
    };
    Bug {
        id: id.to_owned(),
        short_description: suspect.short_description.clone(),
        details: suspect.details.clone(),
        severity: suspect.severity.clone(),
        relevant_files: suspect.relevant_files.clone(),
        status,
        reproducibility_approach: None,
        reproducibility_chance: None,
        created_at: at,
        entrypoint: entrypoint.to_owned(),
        reason,
        duplicate_of,
        run: None,
        run_status: None,
        proof: None,
        wanted: false,
        micro_usd: 0,
        sections: Vec::new(),
    }
}

impl Sighting {
    pub(super) fn told(&self) -> String {
        let mut text = String::new();
        for test in &self.tests {
            let _ = writeln!(
                text,
                "- fails on the clean base {}: {test}",
                self.base.get(..12).unwrap_or(&self.base)
            );
        }
        let _ = write!(text, "\n{}", self.notes);
        text
    }
}

impl Bug {
    /// Proven by a failing test, and neither a duplicate nor rejected by a person.
    pub fn is_reported(&self) -> bool {
        let out = matches!(self.status, BugStatus::Duplicate | BugStatus::Rejected);
        self.proof.is_some() && !out
    }

    /// Whether its run has not come to an end, or only to a pause.
    pub(super) fn may_go_on(&self) -> bool {
        matches!(self.run_status, None | Some(Status::Paused))
    }

    pub(super) fn write(&mut self, title: &'static str, text: &str) {
        self.sections.push(Section { title, text: text.trim().to_owned() });
    }

    pub(super) fn classified(&mut self, approach: Approach, chance: Chance, reasoning: &str) {
        self.status = BugStatus::InAnalysis;
        self.reproducibility_approach = Some(approach);
        self.reproducibility_chance = Some(chance);
        if approach != Approach::UnitTest {
            self.reason = format!("{}: no unit test can show it", approach.name());
        }
        let (approach, chance) = (approach.name(), chance.name());
        let text = format!("- approach: {approach}\n- chance: {chance}\n\n{reasoning}");
        self.write("Classification Summary", &text);
    }

    /// A person wants it after all: nothing that spoke against it counts any more.
    pub(super) fn tried_again(&mut self) {
        self.wanted = true;
        self.status = match self.reproducibility_approach {
            Some(Approach::UnitTest) => BugStatus::InAnalysis,
            Some(Approach::Manual | Approach::IntegrationTest) | None => BugStatus::Suspected,
        };
        self.reason.clear();
        (self.run, self.run_status, self.proof) = (None, None, None);
        self.duplicate_of = None;
        self.write("Tried again", "A person asked for another try.");
    }

    /// Everything but the status and its reason stays as it is.
    pub(super) fn ended(&mut self, result: &TddResult, reason: &str, notes: &RunNotes) {
        if let Some(status) = BugStatus::after(result.status) {
            self.status = status;
        }
        self.run_status = Some(result.status);
        reason.clone_into(&mut self.reason);
        self.micro_usd = notes.micro_usd;
        // Not over yet: the page is written when it is.
        if matches!(result.status, Status::AwaitingApproval | Status::Paused) {
            return;
        }
        if self.proof.is_none() && !notes.reproduction.is_empty() {
            self.write("Reproduction Notes", &notes.reproduction);
        }
        let fix = format!("{}\n\n{}", notes.fix_description, notes.fix);
        if !fix.trim().is_empty() {
            self.write("Fix Notes", &fix);
        }
        if !notes.review.is_empty() {
            self.write("Review Notes", &notes.review);
        }
        let mut text = format!("- status: {}\n\n{}", result.status, result.notes);
        if !reason.is_empty() && reason != result.notes {
            let _ = write!(text, "\n\n{reason}");
        }
        if !result.rejection_history.is_empty() {
            text.push_str("\n\nRejection history:\n");
            for why in &result.rejection_history {
                let _ = write!(text, "\n- {}", why.trim().replace('\n', "\n  "));
            }
        }
        self.write("TDD Result", &text);
    }
}
