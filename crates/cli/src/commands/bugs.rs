//! `proctor bugs`: the bugs that hunts found, and what a person wants done about one.

use crate::args::Format;
use crate::args::hunt::BugsCommand;
use crate::out;
use crate::show::hunt::Shown;
use anyhow::Result;
use proctor_core::hunt::{Bug, Notebook, bug_json, page};
use proctor_desk::hunt::bugs::{fix, known, reject, retry};
use proctor_desk::hunt::caught::catch_up;
use proctor_desk::hunt::issue::{issue, sarif};
use proctor_desk::hunt::ledger;
use proctor_desk::hunt::summary::row;
use proctor_desk::surroundings::Surroundings;
use proctor_desk::text::harmless::harmless;
use proctor_desk::told::usage;

pub fn bugs(around: &Surroundings, command: &BugsCommand) -> Result<u8> {
    let ledger = ledger(around)?;
    // What became of a run is the run's to say, also where a person landed it since.
    catch_up(&around.shop()?, &ledger)?;
    match command {
        BugsCommand::List { all, format } => {
            let scope = if *all { Scope::All } else { Scope::Reported };
            list(&ledger.read()?, scope, format.format);
            Ok(0)
        }
        BugsCommand::Show(args) => Ok(show(&known(&ledger, &args.id)?, args.format.format)),
        BugsCommand::Reject { bug, why } => {
            let bug_now = reject(around, &ledger, &bug.id, why)?;
            Ok(show(&bug_now, bug.format.format))
        }
        BugsCommand::Retry(args) => {
            let bug = retry(around, &ledger, &args.id)?;
            if args.format.format == Format::Text {
                out::talk("The next `proctor hunt` tries it again.");
            }
            Ok(show(&bug, args.format.format))
        }
        BugsCommand::Fix { bug, how } => {
            let format = bug.format.format;
            let ask = how.meant();
            let fixed = fix(
                around,
                &ledger,
                (&bug.id, &ask),
                &Shown { format, home: around.home.clone() },
            )?;
            match format {
                Format::Json => out::json(&bug_json(&fixed.bug).to_string()),
                Format::Text => out::data(&row(&fixed.bug)),
            }
            Ok(fixed.code)
        }
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
