//! The notebook: a fold over what happened in the hunts of one repository, and what follows from it. Pure: it is the same
//! on every machine and after every crash.

use super::alike::{may_meet, same_assertion, same_text};
use super::bug::{NOT_CLASSIFIED, found};
use super::{Bug, BugStatus, Fix, FoundBy, HuntEvent, RunNotes, Sighting, Standing, TddResult};
use crate::event::Usage;
use crate::turn::{Approach, Suspect};
use crate::words::{Millis, Phase, RunId, Status};
use std::collections::{BTreeMap, BTreeSet};

/// Severities that a hunt pursues.
const HIGH: [&str; 4] = ["HIGH", "CRITICAL", "SEVERE", "BLOCKER"];
/// Details shorter than this are too common to tell bugs apart.
const LONG_ENOUGH: usize = 40;

/// An entry point that waits to be scouted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub path: String,
    pub by: FoundBy,
    /// The hunt in which nothing usable came back last, and what was wrong.
    pub failed: Option<(u32, String)>,
}

/// An entry point that was scouted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scouted {
    pub path: String,
    pub summary: String,
    pub at: Millis,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notebook {
    /// Counts hunts from 1; 0 before the first.
    pub hunt: u32,
    /// Whether the last hunt has not come to its end.
    pub under_way: bool,
    /// Finished turns of each phase in this hunt.
    turns: BTreeMap<Phase, u32>,
    /// Entry points that were added in this hunt.
    added: BTreeSet<String>,
    /// Bugs that a run was begun for in this hunt.
    pub pursued: u32,
    /// What the scout used in this hunt.
    pub errands: Usage,
    /// What the runs of this hunt cost.
    pub runs_micro_usd: u64,
    pub queue: Vec<Waiting>,
    pub scouted: Vec<Scouted>,
    pub bugs: Vec<Bug>,
    pub fixes: Vec<Fix>,
    /// What the parent of each run was told.
    pub messages: Vec<String>,
}

/// What a hunt does next with the bugs that are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlook {
    /// Proven ones are fixed too.
    Fix,
    /// A proof is enough.
    Report,
}

impl Notebook {
    pub fn replay<'a>(history: impl IntoIterator<Item = (&'a HuntEvent, Millis)>) -> Self {
        let mut book = Self::default();
        for (event, at) in history {
            book.fold(event, at);
        }
        book
    }

    /// The number of the next turn of a phase in this hunt.
    pub fn attempt(&self, phase: Phase) -> u32 {
        self.turns.get(&phase).copied().unwrap_or(0) + 1
    }

    /// Those of these entry points that were not added in this hunt yet.
    pub fn not_added(&self, paths: &[String]) -> Vec<String> {
        paths.iter().filter(|path| !self.added.contains(*path)).cloned().collect()
    }

    /// Whether nobody said where to look in this hunt, and nothing is left from earlier ones.
    pub fn is_at_a_loss(&self) -> bool {
        let asked = |phase| self.attempt(phase) > 1;
        let nothing = self.queue.is_empty() && self.added.is_empty();
        nothing && !asked(Phase::Suggest) && !asked(Phase::Scout)
    }

    /// What this hunt cost so far, in millionths of a US dollar.
    pub fn micro_usd(&self) -> u64 {
        self.errands.micro_usd + self.runs_micro_usd
    }

    pub fn bug(&self, id: &str) -> Option<&Bug> {
        self.bugs.iter().find(|bug| bug.id == id)
    }

    /// The next entry points, those that failed in this hunt left out.
    pub fn to_scout(&self) -> impl Iterator<Item = &str> {
        let fresh = |one: &&Waiting| one.failed.as_ref().is_none_or(|(hunt, _)| *hunt != self.hunt);
        self.queue.iter().filter(fresh).map(|one| one.path.as_str())
    }

    /// Suspects that nobody classified. One that could not be is left for the next hunt.
    pub fn to_classify(&self) -> impl Iterator<Item = &Bug> {
        self.bugs.iter().filter(|bug| bug.status == BugStatus::Suspected && bug.reason.is_empty())
    }

    /// Bugs that a run should show, the easiest first: those in analysis that a unit test can show, and where fixes are
    /// wanted those that are proven.
    pub fn to_pursue(&self, outlook: Outlook) -> Vec<&Bug> {
        let wanted = |bug: &&Bug| match bug.status {
            BugStatus::InAnalysis => {
                bug.reproducibility_approach == Some(Approach::UnitTest) && bug.may_go_on()
            }
            BugStatus::PreparedForFix => outlook == Outlook::Fix && bug.may_go_on(),
            BugStatus::Suspected
            | BugStatus::Solved
            | BugStatus::Discarded
            | BugStatus::NeedsManualReview
            | BugStatus::Rejected
            | BugStatus::Duplicate => false,
        };
        let mut found: Vec<&Bug> = self.bugs.iter().filter(wanted).collect();
        // What is under way is finished first.
        found.sort_by_key(|bug| (bug.run.is_none(), bug.reproducibility_chance));
        found
    }

    /// What is shown to people: proven, and no duplicate of anything.
    pub fn reported(&self) -> impl Iterator<Item = &Bug> {
        self.bugs.iter().filter(|bug| bug.is_reported())
    }

    /// The facts of a scouting: the entry point is done, and each suspect gets its id and where it stands.
    pub fn scouting(
        &self,
        entrypoint: &str,
        suspects: &[Suspect],
        summary: &str,
    ) -> Vec<HuntEvent> {
        let mut events = vec![HuntEvent::EntrypointScouted {
            entrypoint: entrypoint.to_owned(),
            summary: summary.to_owned(),
        }];
        let mut book = self.clone();
        for suspect in suspects {
            let event = HuntEvent::BugFound {
                id: format!("bug-{}", book.bugs.len() + 1),
                entrypoint: entrypoint.to_owned(),
                suspect: suspect.clone(),
                standing: book.standing(suspect),
            };
            book.fold(&event, Millis::default());
            events.push(event);
        }
        events
    }

    fn standing(&self, suspect: &Suspect) -> Standing {
        for bug in &self.bugs {
            if !may_meet(&bug.relevant_files, &suspect.relevant_files) {
                continue;
            }
            let long = suspect.details.trim().len() >= LONG_ENOUGH;
            let same = same_text(&bug.short_description, &suspect.short_description)
                || long && same_text(&bug.details, &suspect.details);
            if same {
                let why = format!("the same text as {} ({})", bug.id, bug.status.name());
                let of = bug.duplicate_of.as_ref().unwrap_or(&bug.id).clone();
                return Standing::Duplicate { of, why };
            }
        }
        if HIGH.contains(&suspect.severity.trim().to_uppercase().as_str()) {
            return Standing::Fresh;
        }
        let why = format!("its severity is {:?}: a hunt pursues HIGH", suspect.severity);
        Standing::SetAside { why }
    }

    /// The bug that this one turns out to be, now that it was seen, and why.
    pub fn same_as(&self, id: &str, sighting: &Sighting) -> Option<(String, String)> {
        let me = self.bug(id)?;
        if me.wanted {
            return None;
        }
        let others =
            self.bugs.iter().filter(|bug| bug.id != id && bug.status != BugStatus::Duplicate);
        for bug in others {
            let Some(seen) = &bug.proof else { continue };
            if seen.place.is_some() && seen.place == sighting.place {
                let place = seen.place.clone().unwrap_or_default();
                return Some((
                    bug.id.clone(),
                    format!("it breaks at the same place as {}: {place}", bug.id),
                ));
            }
            if same_assertion(seen, sighting) && may_meet(&bug.relevant_files, &me.relevant_files) {
                return Some((
                    bug.id.clone(),
                    format!("the same assertion fails as for {}", bug.id),
                ));
            }
        }
        None
    }

    /// Folds one fact. What names a bug that is not there changes nothing.
    pub fn fold(&mut self, event: &HuntEvent, at: Millis) {
        match event {
            HuntEvent::HuntBegan { hunt } => {
                (self.hunt, self.under_way) = (*hunt, true);
                self.turns.clear();
                self.added.clear();
                self.pursued = 0;
                (self.errands, self.runs_micro_usd) = (Usage::default(), 0);
                // What could not be classified is tried again.
                for bug in self.bugs.iter_mut().filter(|b| b.status == BugStatus::Suspected) {
                    if bug.reason.starts_with(NOT_CLASSIFIED) {
                        bug.reason.clear();
                    }
                }
            }
            HuntEvent::HuntEnded { .. } => self.under_way = false,
            HuntEvent::EntrypointsAdded { entrypoints, by, .. } => {
                self.added.extend(entrypoints.iter().cloned());
                for path in entrypoints {
                    if !self.queue.iter().any(|one| one.path == *path) {
                        self.queue.push(Waiting { path: path.clone(), by: *by, failed: None });
                    }
                }
            }
            HuntEvent::ErrandEnded { phase, usage, .. } => {
                *self.turns.entry(*phase).or_default() += 1;
                self.errands.tokens += usage.tokens;
                self.errands.micro_usd += usage.micro_usd;
                self.errands.estimated |= usage.estimated;
            }
            HuntEvent::EntrypointScouted { entrypoint, summary } => {
                self.queue.retain(|one| one.path != *entrypoint);
                let (path, summary) = (entrypoint.clone(), summary.clone());
                self.scouted.push(Scouted { path, summary, at });
            }
            HuntEvent::EntrypointFailed { entrypoint, why } => {
                if let Some(place) = self.queue.iter().position(|one| one.path == *entrypoint) {
                    let mut one = self.queue.remove(place);
                    one.failed = Some((self.hunt, why.clone()));
                    self.queue.push(one);
                }
            }
            HuntEvent::BugFound { id, entrypoint, suspect, standing } => {
                self.bugs.push(found(id, entrypoint, suspect, standing, at));
            }
            event => self.fold_bug(event, at),
        }
    }

    fn fold_bug(&mut self, event: &HuntEvent, at: Millis) {
        let Some(bug) = event.bug().and_then(|id| self.bugs.iter_mut().find(|bug| bug.id == id))
        else {
            return;
        };
        match event {
            HuntEvent::BugClassified { approach, chance, reasoning, .. } => {
                bug.classified(*approach, *chance, reasoning);
            }
            HuntEvent::BugNotClassified { why, .. } => {
                bug.reason = format!("{NOT_CLASSIFIED}{why}");
            }
            HuntEvent::BugRunBegan { run, .. } => {
                self.pursued += u32::from(bug.run.is_none());
                (bug.run, bug.run_status) = (Some(run.clone()), None);
                bug.micro_usd = 0;
                bug.reason.clear();
            }
            HuntEvent::BugProven { sighting, .. } => {
                bug.status = BugStatus::PreparedForFix;
                bug.write("Reproduction Notes", &sighting.told());
                bug.proof = Some((**sighting).clone());
            }
            HuntEvent::BugDuplicate { of, why, .. } => {
                bug.status = BugStatus::Duplicate;
                bug.duplicate_of = Some(of.clone());
                bug.reason.clone_from(why);
                bug.write("Duplicate", why);
            }
            HuntEvent::BugRunEnded { run, result, reason, notes, message, .. } => {
                let cost = notes.micro_usd.saturating_sub(bug.micro_usd);
                bug.ended(result, reason, notes);
                let id = bug.id.clone();
                self.runs_micro_usd += cost;
                self.messages.extend((!message.is_empty()).then(|| message.clone()));
                self.record_fix(&id, run, result, notes, at);
            }
            HuntEvent::BugCost { micro_usd, .. } => {
                let cost = micro_usd.saturating_sub(bug.micro_usd);
                bug.micro_usd = *micro_usd;
                self.runs_micro_usd += cost;
            }
            HuntEvent::BugBlocked { why, .. } => {
                bug.reason.clone_from(why);
                bug.run_status = Some(Status::Blocked);
            }
            HuntEvent::BugRejected { why, .. } => {
                bug.status = BugStatus::Rejected;
                bug.reason.clone_from(why);
                bug.write("Rejection", why);
            }
            HuntEvent::BugRetried { .. } => bug.tried_again(),
            HuntEvent::HuntBegan { .. }
            | HuntEvent::HuntEnded { .. }
            | HuntEvent::EntrypointsAdded { .. }
            | HuntEvent::ErrandEnded { .. }
            | HuntEvent::EntrypointScouted { .. }
            | HuntEvent::EntrypointFailed { .. }
            | HuntEvent::BugFound { .. } => {}
        }
    }

    /// One record for each run that wrote code; a later end of the same run brings it up to date.
    fn record_fix(
        &mut self,
        bug_id: &str,
        run: &RunId,
        result: &TddResult,
        notes: &RunNotes,
        at: Millis,
    ) {
        if notes.fix_description.is_empty() && notes.fix.is_empty() {
            return;
        }
        let status = match result.status {
            Status::Success => BugStatus::Solved.name(),
            Status::AwaitingApproval => "READY_FOR_REVIEW",
            other => other.name(),
        };
        let old = self.fixes.iter().position(|fix| fix.run == *run);
        let (id, created_at) = match old.and_then(|at| self.fixes.get(at)) {
            Some(fix) => (fix.id.clone(), fix.created_at),
            None => (format!("fix-{}", self.fixes.len() + 1), at),
        };
        let fix = Fix {
            id,
            bug_id: bug_id.to_owned(),
            run: run.clone(),
            status: status.to_owned(),
            fix_description: notes.fix_description.clone(),
            notes: notes.fix.clone(),
            review: notes.review.clone(),
            rejection_reasons: result.rejection_history.clone(),
            branch: notes.branch.clone(),
            commit: notes.commit.clone(),
            created_at,
        };
        match old.and_then(|at| self.fixes.get_mut(at)) {
            Some(place) => *place = fix,
            None => self.fixes.push(fix),
        }
    }
}

impl HuntEvent {
    /// The bug that it is about.
    pub fn bug(&self) -> Option<&str> {
        match self {
            Self::BugFound { id, .. }
            | Self::BugClassified { id, .. }
            | Self::BugNotClassified { id, .. }
            | Self::BugRunBegan { id, .. }
            | Self::BugProven { id, .. }
            | Self::BugDuplicate { id, .. }
            | Self::BugRunEnded { id, .. }
            | Self::BugBlocked { id, .. }
            | Self::BugCost { id, .. }
            | Self::BugRejected { id, .. }
            | Self::BugRetried { id } => Some(id),
            Self::HuntBegan { .. }
            | Self::HuntEnded { .. }
            | Self::EntrypointsAdded { .. }
            | Self::ErrandEnded { .. }
            | Self::EntrypointScouted { .. }
            | Self::EntrypointFailed { .. } => None,
        }
    }
}

#[cfg(test)]
#[path = "notebook_tests.rs"]
mod tests;
