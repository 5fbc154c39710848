//! What happens in a hunt, while it happens: a line a fact for people, the facts themselves as JSON.

use crate::text::amount::show_usd;
use crate::text::harmless::{one_line, short};
use proctor_core::hunt::{BugStatus, HuntEvent, Notebook, Standing};
use serde_json::{Value, json};

/// Facts that were just recorded, and how the hunt stands after them, for people.
pub fn lines(events: &[HuntEvent], book: &Notebook) -> Vec<String> {
    let mut told: Vec<String> = events.iter().flat_map(words).collect();
    let telling = |event: &HuntEvent| {
        !matches!(event, HuntEvent::HuntBegan { .. } | HuntEvent::BugRunBegan { .. })
    };
    if events.iter().any(telling) {
        told.push(format!("  {}", tally(book)));
    }
    told
}

/// The same for programs.
pub fn line(event: &HuntEvent, book: &Notebook) -> Value {
    let mut value = serde_json::to_value(event).unwrap_or_default();
    if let Some(object) = value.as_object_mut() {
        object.insert("hunt".to_owned(), json!(book.hunt));
    }
    value
}

/// How the hunt stands, in numbers.
pub fn tally(book: &Notebook) -> String {
    let count = |status| book.bugs.iter().filter(|bug| bug.status == status).count();
    format!(
        "queue {} · suspects {} · proven {} · fixed {} · discarded {} · rejected {} · {}",
        book.queue.len(),
        book.bugs.len(),
        book.reported().count(),
        count(BugStatus::Solved),
        count(BugStatus::Discarded),
        count(BugStatus::Rejected),
        show_usd(book.micro_usd())
    )
}

fn words(event: &HuntEvent) -> Vec<String> {
    let one = |text: String| vec![text];
    match event {
        HuntEvent::HuntBegan { hunt } => one(format!("Hunt {hunt}")),
        HuntEvent::HuntEnded { .. }
        | HuntEvent::BugCost { .. }
        | HuntEvent::ErrandEnded { fault: None, .. } => Vec::new(),
        HuntEvent::EntrypointsAdded { entrypoints, by, .. } => {
            let mut lines = vec![format!("✓ {} entry points ({})", entrypoints.len(), by.name())];
            lines.extend(entrypoints.iter().map(|path| format!("    {}", one_line(path))));
            lines
        }
        HuntEvent::ErrandEnded { fault: Some(why), phase, .. } => {
            one(format!("✗ {phase}: {}", short(why, 400)))
        }
        HuntEvent::EntrypointScouted { entrypoint, summary } => {
            one(format!("✓ scouted {}: {}", one_line(entrypoint), short(summary, 200)))
        }
        HuntEvent::EntrypointFailed { entrypoint, .. } => {
            one(format!("✗ {} goes to the end of the queue", one_line(entrypoint)))
        }
        HuntEvent::BugFound { id, suspect, standing, .. } => {
            let text = short(&suspect.short_description, 200);
            one(match standing {
                Standing::Fresh => format!("? {id}: {text}"),
                Standing::SetAside { why } | Standing::Duplicate { why, .. } => {
                    format!("- {id}: {text} ({})", one_line(why))
                }
            })
        }
        HuntEvent::BugClassified { id, approach, chance, .. } => {
            one(format!("  {id}: {}, {}", approach.name(), chance.name()))
        }
        HuntEvent::BugNotClassified { id, why } | HuntEvent::BugBlocked { id, why } => {
            one(format!("✗ {id}: {}", short(why, 400)))
        }
        HuntEvent::BugRunBegan { id, run } => one(format!("  {id}: run {run}")),
        HuntEvent::BugProven { id, sighting } => {
            let mut lines = vec![format!("✓ {id} is proven by a failing test")];
            lines.extend(sighting.tests.iter().map(|test| format!("    {}", one_line(test))));
            lines
        }
        HuntEvent::BugDuplicate { id, why, .. } => one(format!("- {id}: {}", one_line(why))),
        HuntEvent::BugRunEnded { id, result, reason, message, .. } => {
            let title = if message.is_empty() {
                format!("{id}: {}", result.status)
            } else {
                message.clone()
            };
            let mut lines = vec![title];
            lines.extend(reason.lines().map(|line| format!("    {}", one_line(line))));
            lines
        }
        HuntEvent::BugRejected { id, why } => {
            one(format!("- {id} is rejected: {}", short(why, 200)))
        }
        HuntEvent::BugRetried { id } => one(format!("  {id} will be tried again")),
    }
}
