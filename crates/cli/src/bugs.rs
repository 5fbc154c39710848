//! `proctor bugs`: the bugs that hunts found, and what a person wants done about one.

use crate::args::Format;
use crate::args_hunt::{BugArgs, BugsCommand, FixArgs};
use crate::clock;
use crate::harmless::harmless;
use crate::hunt::Hunt;
use crate::hunt::issue::{issue, sarif};
use crate::hunt::summary::row;
use crate::out;
use crate::surroundings::Surroundings;
use crate::told::usage;
use anyhow::Result;
use proctor_core::event::Request;
use proctor_core::hunt::{Bug, BugStatus, HuntEvent, Notebook, Outlook, bug_json, page};
use proctor_core::run::Stage;
use proctor_core::words::Status;
use proctor_engine::{EngineError, Ledger, Silent, drive, load};
use proctor_journal::Journal;
use proctor_world::repo::UserRepo;

pub fn bugs(around: &Surroundings, command: &BugsCommand) -> Result<u8> {
    let repo = UserRepo::find(&around.cwd).map_err(usage)?;
    let ledger = Ledger::of(&around.home, &repo.git_dir);
    match command {
        BugsCommand::List { all, format } => {
            let scope = if *all { Scope::All } else { Scope::Reported };
            list(&ledger.read()?, scope, format.format);
            Ok(0)
        }
        BugsCommand::Show(args) => Ok(show(&known(&ledger, &args.id)?, args.format.format)),
        BugsCommand::Reject { bug, why } => reject(around, &ledger, bug, why),
        BugsCommand::Retry(args) => retry(around, &ledger, args),
        BugsCommand::Fix { bug, how } => fix(around, &ledger, bug, how),
        BugsCommand::Report { bug, sarif } => {
            let shape = if *sarif { Shape::Sarif } else { Shape::Issue };
            report(&known(&ledger, &bug.id)?, shape, bug.format.format)
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Reported,
    All,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Issue,
    Sarif,
}

fn known(ledger: &Ledger, id: &str) -> Result<Bug> {
    ledger.read()?.bug(id).cloned().ok_or_else(|| {
        usage(format!(
            "there is no bug {id}\nhint: `proctor bugs list --all` shows those that there are"
        ))
    })
}

fn list(book: &Notebook, scope: Scope, format: Format) {
    let shown: Vec<&Bug> =
        book.bugs.iter().filter(|bug| scope == Scope::All || bug.is_reported()).collect();
    for bug in &shown {
        match format {
            Format::Json => out::json(&bug_json(bug).to_string()),
            Format::Text => out::data(&row(bug)),
        }
    }
    if shown.is_empty() && format == Format::Text {
        out::talk(
            "No bug is proven. `proctor bugs list --all` shows suspects too; `proctor hunt` looks for more.",
        );
    }
}

fn show(bug: &Bug, format: Format) -> u8 {
    match format {
        Format::Json => out::json(&bug_json(bug).to_string()),
        Format::Text => {
            out::data(&row(bug));
            if let Some(run) = &bug.run {
                out::data(&format!("  run {run}"));
            }
            out::data("");
            for part in page(bug) {
                out::data(&harmless(&part));
            }
        }
    }
    0
}

fn report(bug: &Bug, shape: Shape, format: Format) -> Result<u8> {
    let Some(proof) = bug.proof.as_ref().filter(|_| bug.is_reported()) else {
        return Err(usage(format!(
            "{} is {}: only what a failing test proved is reported\nhint: `proctor bugs fix {}` tries to prove it",
            bug.id,
            bug.status.name(),
            bug.id
        )));
    };
    let text = match (shape, format) {
        (Shape::Sarif, _) => format!("{:#}", sarif(bug, proof)),
        (Shape::Issue, Format::Json) => {
            let text = issue(bug, proof);
            serde_json::json!({"id": bug.id, "title": bug.short_description, "body": text})
                .to_string()
        }
        (Shape::Issue, Format::Text) => issue(bug, proof),
    };
    out::data(text.trim_end());
    Ok(0)
}

fn reject(around: &Surroundings, ledger: &Ledger, args: &BugArgs, why: &str) -> Result<u8> {
    if why.trim().is_empty() {
        return Err(usage("--why is empty\nhint: say why it is no bug; scouts are told"));
    }
    let bug = known(ledger, &args.id)?;
    ledger.record(|_| vec![HuntEvent::BugRejected { id: bug.id.clone(), why: why.to_owned() }])?;
    put_away(around, &bug)?;
    Ok(show(&known(ledger, &args.id)?, args.format.format))
}

fn retry(around: &Surroundings, ledger: &Ledger, args: &BugArgs) -> Result<u8> {
    let bug = known(ledger, &args.id)?;
    if bug.status == BugStatus::Solved {
        return Err(usage(format!(
            "{} is solved\nhint: `proctor bugs show {}` says how",
            bug.id, bug.id
        )));
    }
    put_away(around, &bug)?;
    ledger.record(|_| vec![HuntEvent::BugRetried { id: bug.id.clone() }])?;
    if args.format.format == Format::Text {
        out::talk("The next `proctor hunt` tries it again.");
    }
    Ok(show(&known(ledger, &args.id)?, args.format.format))
}

fn fix(around: &Surroundings, ledger: &Ledger, args: &BugArgs, how: &FixArgs) -> Result<u8> {
    let bug = known(ledger, &args.id)?;
    let hunt_args = how.hunt(args.format.format);
    let hunt = Hunt::of(around, &hunt_args)?;
    hunt.catch_up()?;
    let bug = hunt.ledger.read()?.bug(&bug.id).cloned().unwrap_or(bug);
    if bug.status == BugStatus::Solved {
        return Err(usage(format!(
            "{} is solved\nhint: `proctor bugs show {}` says how",
            bug.id, bug.id
        )));
    }
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
    match args.format.format {
        Format::Json => out::json(&bug_json(&bug).to_string()),
        Format::Text => out::data(&row(&bug)),
    }
    if hunt.shop.signals.asked_to_stop() {
        return Ok(Status::Interrupted.exit_code());
    }
    Ok(bug.run_status.map_or(0, Status::exit_code))
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
