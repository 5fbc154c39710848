//! What a person wants done about a bug that a hunt found: reject it, try it again, prove and fix it now.

use crate::hunt::{Hunt, HuntAsk, HuntFace};
use crate::surroundings::Surroundings;
use crate::text::clock;
use crate::told::usage;
use anyhow::Result;
use proctor_core::event::Request;
use proctor_core::hunt::{Bug, BugStatus, HuntEvent, Outlook};
use proctor_core::run::Stage;
use proctor_core::words::Status;
use proctor_engine::{EngineError, Ledger, Silent, drive, load};
use proctor_journal::Journal;

pub fn known(ledger: &Ledger, id: &str) -> Result<Bug> {
    ledger.read()?.bug(id).cloned().ok_or_else(|| {
        usage(format!(
            "there is no bug {id}\nhint: `proctor bugs list --all` shows those that there are"
        ))
    })
}

/// It is no bug. Gives it as it stands then.
pub fn reject(around: &Surroundings, ledger: &Ledger, id: &str, why: &str) -> Result<Bug> {
    if why.trim().is_empty() {
        return Err(usage("--why is empty\nhint: say why it is no bug; scouts are told"));
    }
    let bug = known(ledger, id)?;
    ledger.record(|_| vec![HuntEvent::BugRejected { id: bug.id.clone(), why: why.to_owned() }])?;
    put_away(around, &bug)?;
    known(ledger, id)
}

/// The next hunt tries it again.
pub fn retry(around: &Surroundings, ledger: &Ledger, id: &str) -> Result<Bug> {
    let bug = known(ledger, id)?;
    refuse_solved(&bug)?;
    put_away(around, &bug)?;
    ledger.record(|_| vec![HuntEvent::BugRetried { id: bug.id.clone() }])?;
    known(ledger, id)
}

fn refuse_solved(bug: &Bug) -> Result<()> {
    if bug.status != BugStatus::Solved {
        return Ok(());
    }
    Err(usage(format!("{} is solved\nhint: `proctor bugs show {}` says how", bug.id, bug.id)))
}

/// A bug that was pursued, and the exit code that its run stands for.
pub struct Fixed {
    pub bug: Bug,
    pub code: u8,
}

/// Proves and fixes it now.
pub fn fix(
    around: &Surroundings,
    ledger: &Ledger,
    (id, ask): (&str, &HuntAsk),
    face: &dyn HuntFace,
) -> Result<Fixed> {
    let bug = known(ledger, id)?;
    let hunt = Hunt::of(around, ask, face)?;
    hunt.catch_up()?;
    let bug = hunt.ledger.read()?.bug(&bug.id).cloned().unwrap_or(bug);
    refuse_solved(&bug)?;
    let afresh = match bug.status {
        BugStatus::Rejected
        | BugStatus::Duplicate
        | BugStatus::Discarded
        | BugStatus::NeedsManualReview => true,
        BugStatus::Suspected
        | BugStatus::InAnalysis
        | BugStatus::PreparedForFix
        | BugStatus::Solved => bug
            .run_status
            .is_some_and(|status| !matches!(status, Status::Paused | Status::AwaitingApproval)),
    };
    if afresh {
        put_away(around, &bug)?;
        hunt.record(|_| vec![HuntEvent::BugRetried { id: bug.id.clone() }])?;
    }
    hunt.pursue(&bug.id, Outlook::Fix)?;
    let bug = known(ledger, &bug.id)?;
    let code = if hunt.shop.signals.asked_to_stop() {
        Status::Interrupted.exit_code()
    } else {
        bug.run_status.map_or(0, Status::exit_code)
    };
    Ok(Fixed { bug, code })
}

/// Ends a run that nobody wants any more; what it made is saved, as with `proctor abort`.
fn put_away(around: &Surroundings, bug: &Bug) -> Result<()> {
    let Some(run) = &bug.run else { return Ok(()) };
    let shop = around.shop()?;
    let journal = Journal::open(shop.home.root())?;
    if journal.find(run.as_str()).is_err() {
        return Ok(());
    }
    let state = load(&shop, run)?;
    if matches!(state.stage, Stage::Closed { .. }) {
        return Ok(());
    }
    journal.post(run, &Request::Abort, clock::now())?;
    match drive(&shop, std::slice::from_ref(run), &mut Silent) {
        // Whoever drives it answers the request.
        Ok(_) | Err(EngineError::Held { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
