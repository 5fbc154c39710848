//! The notebook follows what became of its runs, whoever ended them: a bug that landed is landed wherever it is shown.

use anyhow::Result;
use proctor_core::hunt::{BugStatus, HuntEvent, Notebook, TddResult};
use proctor_core::run::{Run, Stage};
use proctor_core::words::{RunId, Status};
use proctor_engine::{Ledger, Shop, load, run_notes};
use proctor_journal::Journal;

/// How a run ended, as the notebook records it.
pub(crate) struct Ended {
    id: String,
    status: Status,
    event: HuntEvent,
}

impl Ended {
    /// What follows from it; nothing where that is known, or a person said otherwise.
    pub(crate) fn follows(&self, book: &Notebook) -> Vec<HuntEvent> {
        let Some(bug) = book.bug(&self.id) else { return Vec::new() };
        let settled = matches!(bug.status, BugStatus::Duplicate | BugStatus::Rejected);
        if bug.run_status == Some(self.status) || settled {
            return Vec::new();
        }
        vec![self.event.clone()]
    }
}

pub(crate) fn ended(shop: &Shop, id: &str, run: &RunId, state: &Run) -> Result<Ended> {
    let status = state.status();
    let over = matches!(state.stage, Stage::Closed { .. });
    let reason = match status {
        Status::Success => String::new(),
        Status::AwaitingApproval => format!("proven and fixed; `proctor approve {run}` lands it"),
        _ => state.reason(),
    };
    let event = HuntEvent::BugRunEnded {
        id: id.to_owned(),
        run: run.clone(),
        result: TddResult {
            task_id: id.to_owned(),
            status,
            test_file_path: state.test_file_path.clone(),
            notes: state.notes.clone(),
            rejection_history: state.rejections.clone(),
        },
        reason,
        notes: Box::new(run_notes(shop, run)?),
        message: if over { HuntEvent::complete(id, status) } else { String::new() },
    };
    Ok(Ended { id: id.to_owned(), status, event })
}

/// Runs that came to an end since somebody looked: approved, sent back, aborted by a person.
pub fn catch_up(shop: &Shop, ledger: &Ledger) -> Result<()> {
    let journal = Journal::open(shop.home.root())?;
    for bug in ledger.read()?.bugs {
        let open = match bug.status {
            BugStatus::InAnalysis | BugStatus::PreparedForFix | BugStatus::NeedsManualReview => {
                true
            }
            BugStatus::Suspected
            | BugStatus::Solved
            | BugStatus::Discarded
            | BugStatus::Rejected
            | BugStatus::Duplicate => false,
        };
        let Some(run) = bug.run.filter(|_| open) else { continue };
        if journal.find(run.as_str()).is_err() {
            continue;
        }
        let state = load(shop, &run)?;
        let over = matches!(state.stage, Stage::Closed { .. });
        if over || state.status() == Status::AwaitingApproval {
            let ended = ended(shop, &bug.id, &run, &state)?;
            ledger.record(|book| ended.follows(book))?;
        }
    }
    Ok(())
}
