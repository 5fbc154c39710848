//! The end of a hunt: what was proven, what became of the rest, what it cost; as text, JSON and a page.

use super::{Stop, story};
use crate::page;
use crate::text::amount::show_usd;
use crate::text::harmless::{one_line, short};
use proctor_core::hunt::{Bug, BugStatus, Notebook};
use serde_json::{Value, json};
use std::path::PathBuf;

pub struct Summary {
    pub book: Notebook,
    pub stop: Stop,
    pub folder: PathBuf,
    pub code: u8,
}

impl Summary {
    pub fn text(&self) -> Vec<String> {
        let mut lines = vec![format!("Hunt {}: {}.", self.book.hunt, one_line(&self.stop.words()))];
        lines.push(format!("  {}", story::tally(&self.book)));
        for bug in self.book.reported() {
            lines.push(row(bug));
        }
        if self.book.reported().next().is_none() {
            lines.push("No bug was proven.".to_owned());
        }
        let rest = self.book.bugs.iter().filter(|bug| !bug.is_reported()).count();
        if rest > 0 {
            lines.push(format!(
                "  {rest} more are in the notebook, each with its reason: proctor bugs list --all"
            ));
        }
        for command in self.next() {
            lines.push(format!("next: {command}"));
        }
        lines
    }

    fn next(&self) -> Vec<String> {
        let mut commands = Vec::new();
        if matches!(self.stop, Stop::Interrupted | Stop::Limit | Stop::NoScout { .. }) {
            commands.push("proctor hunt".to_owned());
        }
        if self.stop == Stop::Budget {
            commands.push(
                "proctor hunt --max-cost USD   (more than the hunt has cost so far)".to_owned(),
            );
        }
        for bug in self.book.reported() {
            match (bug.status, &bug.run_status) {
                (BugStatus::PreparedForFix, None) => {
                    commands.push(format!(
                        "proctor bugs fix {id}, or proctor bugs report {id}",
                        id = bug.id
                    ));
                }
                (BugStatus::PreparedForFix, Some(_)) => {
                    commands.push(format!("proctor bugs show {}", bug.id));
                }
                _ => {}
            }
        }
        commands
    }

    pub fn json(&self) -> Value {
        let count = |status| self.book.bugs.iter().filter(|bug| bug.status == status).count();
        let reported: Vec<Value> = self.book.reported().map(brief).collect();
        let rest: Vec<Value> =
            self.book.bugs.iter().filter(|b| !b.is_reported()).map(brief).collect();
        json!({
            "event": "hunt-finished",
            "hunt": self.book.hunt,
            "why": self.stop.words(),
            "queue": self.book.queue.len(),
            "scouted": self.book.scouted.len(),
            "suspects": self.book.bugs.len(),
            "proven": reported.len(),
            "fixed": count(BugStatus::Solved),
            "discarded": count(BugStatus::Discarded),
            "rejected": count(BugStatus::Rejected),
            "duplicates": count(BugStatus::Duplicate),
            "micro_usd": self.book.micro_usd(),
            "reported": reported,
            "not_reported": rest,
            "messages": self.book.messages,
            "notebook": self.folder.to_string_lossy(),
            "exit_code": self.code,
        })
    }

    /// One page for a browser, whole in itself.
    pub fn html(&self) -> String {
        let bugs = |reported: bool| -> Vec<Value> {
            let own = self.book.bugs.iter().filter(|bug| bug.is_reported() == reported);
            own.map(with_proof).collect()
        };
        page::render(
            "hunt.html",
            &json!({
                "title": format!("Hunt {}", self.book.hunt),
                "verdict": "",
                "why": self.stop.words(),
                "tally": story::tally(&self.book),
                "reported": bugs(true),
                "rest": bugs(false),
                "cost": show_usd(self.book.micro_usd()),
            }),
        )
    }
}

/// A bug on one line.
pub fn row(bug: &Bug) -> String {
    let reason = if bug.reason.is_empty() {
        String::new()
    } else {
        format!(" ({})", short(&bug.reason, 120))
    };
    format!("{}  {}  {}{reason}", bug.id, bug.status.name(), short(&bug.short_description, 100))
}

fn brief(bug: &Bug) -> Value {
    let proof = bug.proof.as_ref();
    json!({
        "id": bug.id,
        "short_description": bug.short_description,
        "status": bug.status.name(),
        "reason": bug.reason,
        "duplicate_of": bug.duplicate_of,
        "run": bug.run,
        "tests": proof.map(|proof| &proof.tests),
        "relevant_files": bug.relevant_files,
    })
}

fn with_proof(bug: &Bug) -> Value {
    let mut told = brief(bug);
    told["proof"] = json!(bug.proof.as_ref().filter(|_| bug.is_reported()));
    told
}
