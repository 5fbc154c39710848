//! How a run ended: its summary, what to do next, and the last JSON line.

use crate::text::harmless::{harmless, one_line};
use proctor_core::brief::{ApprovalPolicy, LandMode};
use proctor_core::chronicle::{self, Chronicle};
use proctor_core::concern::Raised;
use proctor_core::event::{Ending, Pause};
use proctor_core::run::{Run, Stage};
use proctor_core::words::{RunId, Status};
use proctor_engine::Home;
use serde::Serialize;

#[derive(Serialize)]
pub struct Finished<'a> {
    event: &'static str,
    run: &'a str,
    status: &'static str,
    reason: String,
    branch: &'a str,
    commit: Option<&'a str>,
    exit_code: u8,
}

/// What an orchestrator reads: the summary, and at its end one marker.
pub fn report(home: &Home, id: &RunId, run: &Run, told: &Chronicle) -> String {
    let process = home.process(id);
    let marker = chronicle::marker(run, told, &process.to_string_lossy(), &next(id, run));
    harmless(&format!("{}\n{marker}", chronicle::summary(run, told)))
}

/// The last line about a run, for programs.
pub fn finished<'a>(id: &'a RunId, run: &'a Run) -> Finished<'a> {
    let status = run.status();
    let landed = run.landed.as_ref();
    Finished {
        event: "run-finished",
        run: id.as_str(),
        status: status.name(),
        reason: run.reason(),
        branch: landed.map_or(&run.brief.landing.branch, |landed| &landed.branch),
        commit: landed.map(|landed| landed.commit.as_str()),
        exit_code: status.exit_code(),
    }
}

/// The last words about a run, for people.
pub fn summary(home: &Home, id: &RunId, run: &Run) -> Vec<String> {
    let mut lines = Vec::new();
    match (run.status(), &run.landed) {
        (Status::Success, Some(landed)) => {
            lines.push(match run.brief.landing.mode {
                LandMode::Squash | LandMode::Merge | LandMode::Rebase => {
                    "Success: Feature merged.".to_owned()
                }
                LandMode::Branch => "Success: the work is on its branch.".to_owned(),
                LandMode::Pr => "Success: the work is up for review.".to_owned(),
            });
            lines.push(format!(
                "  {} on {} (run {id}, tree {})",
                landed.commit.short(),
                harmless(&landed.branch),
                run.tree.as_ref().map_or("unknown", |tree| tree.short())
            ));
        }
        (Status::Aborted, _) => lines.push("Aborted by user.".to_owned()),
        (status, _) => {
            lines.push(format!("{status}: run {id}"));
            let reason = run.reason();
            let text = harmless(&reason);
            lines.extend(text.lines().map(|line| format!("  {line}")));
        }
    }
    if let Some(rescue) = &run.rescue {
        lines.push(format!("  rescue: {}", one_line(rescue)));
    }
    if run.status() == Status::Failed {
        let report = home.process(id).join("green-phase-failure.md");
        lines.push(format!("  report: {}", report.display()));
    }
    for command in next(id, run) {
        lines.push(format!("next: {command}"));
    }
    lines
}

/// The commands that lead on from here.
pub fn next(id: &RunId, run: &Run) -> Vec<String> {
    let command = |verb: &str| format!("proctor {verb} {id}");
    let send_back = format!("proctor send-back {id} --why \"…\"");
    if run.status() == Status::Interrupted {
        return vec![command("resume"), command("abort")];
    }
    match &run.stage {
        Stage::AwaitingApproval { .. } => {
            let kinds = Raised::kinds(&run.raised.open());
            let accept: Vec<String> =
                kinds.iter().map(|kind| format!(" --accept {kind}")).collect();
            let accept = accept.concat();
            let why = if kinds.is_empty() { "" } else { " --why \"…\"" };
            let approve = match run.brief.landing.approval {
                ApprovalPolicy::Review => command("resume"),
                ApprovalPolicy::Person | ApprovalPolicy::Beforehand => {
                    format!("{}{accept}{why}", command("approve"))
                }
            };
            vec![command("diff"), approve, send_back, command("abort")]
        }
        Stage::Paused { why: Pause::Budget { what }, .. } => {
            vec![format!("proctor resume {id} --budget {}", more_of(what)), command("abort")]
        }
        Stage::Paused { why: Pause::UsageLimit { .. }, .. } => vec![command("resume")],
        Stage::Paused { why: Pause::Disk { .. }, .. } => {
            vec!["proctor gc".to_owned(), command("resume"), command("abort")]
        }
        Stage::Paused { why: Pause::RedProven, .. } => {
            vec![command("diff"), command("resume"), command("abort")]
        }
        Stage::Closed { ending, back, .. } => {
            let anchored = back.as_ref().is_some_and(|stage| stage.anchor().is_some());
            match ending {
                Ending::Success | Ending::Aborted => Vec::new(),
                Ending::Discarded => vec![command("log")],
                Ending::Blocked | Ending::AgentError if back.is_some() => {
                    vec![command("log"), command("resume"), command("abort")]
                }
                Ending::Failed | Ending::MaxAttempts | Ending::Blocked if anchored => {
                    vec![command("log"), send_back, command("abort")]
                }
                Ending::Failed | Ending::MaxAttempts | Ending::Blocked | Ending::AgentError => {
                    vec![command("log"), command("abort")]
                }
            }
        }
        _ => vec![command("log"), command("cancel")],
    }
}

/// An amount of the budget that was spent, as an example to start from.
fn more_of(what: &str) -> &'static str {
    if what.contains("calls") {
        "20calls"
    } else if what.contains("tokens") {
        "100000tokens"
    } else if what.contains('$') {
        "5usd"
    } else {
        "30m"
    }
}

#[cfg(test)]
#[path = "ending_tests.rs"]
mod tests;
