//! The end of a hunt: what was proven, what became of the rest, what it cost; as text, JSON and a page.

use super::{Stop, story};
use crate::amount::show_usd;
use crate::args::Format;
use crate::harmless::{harmless, one_line, short};
use crate::out;
use crate::verdict::digest::escaped;
use proctor_core::hunt::{Bug, BugStatus, Notebook};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::PathBuf;

const STYLE: &str = include_str!("../verdict/page.css");

pub struct Summary<'a> {
    pub book: &'a Notebook,
    pub(super) stop: &'a Stop,
    pub folder: PathBuf,
    pub code: u8,
}

impl Summary<'_> {
    pub fn show(&self, format: Format) {
        match format {
            Format::Json => out::json(&self.json().to_string()),
            Format::Text => {
                for line in self.text() {
                    out::data(&out::coloured(&line));
                }
            }
        }
    }

    fn text(&self) -> Vec<String> {
        let mut lines = vec![format!("Hunt {}: {}.", self.book.hunt, one_line(&self.stop.words()))];
        lines.push(format!("  {}", story::tally(self.book)));
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
        if *self.stop == Stop::Budget {
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

    fn json(&self) -> Value {
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
        let title = format!("Hunt {}", self.book.hunt);
        let mut page = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n\
             <p>{}</p>\n<p>{}</p>\n<h2>Proven bugs</h2>\n",
            escaped(&one_line(&self.stop.words())),
            escaped(&story::tally(self.book)),
        );
        for bug in self.book.reported() {
            let _ = writeln!(
                page,
                "<h3>{}: {}</h3>\n<p>{} · {}</p>",
                escaped(&bug.id),
                escaped(&one_line(&bug.short_description)),
                bug.status.name(),
                escaped(&one_line(&bug.reason)),
            );
            let Some(proof) = &bug.proof else { continue };
            let _ = writeln!(
                page,
                "<p><code>{}</code></p>\n<pre>{}</pre>",
                escaped(&one_line(&proof.command)),
                escaped(&harmless(&proof.output)),
            );
            for file in &proof.files {
                let _ = writeln!(
                    page,
                    "<details><summary>{}</summary>\n<pre>{}</pre>\n</details>",
                    escaped(&one_line(&file.path)),
                    escaped(&harmless(&file.text)),
                );
            }
        }
        page.push_str("<h2>Not reported</h2>\n<table>\n");
        for bug in self.book.bugs.iter().filter(|bug| !bug.is_reported()) {
            let _ = writeln!(
                page,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                escaped(&bug.id),
                bug.status.name(),
                escaped(&one_line(&bug.short_description)),
                escaped(&one_line(&bug.reason)),
            );
        }
        let _ = write!(
            page,
            "</table>\n<footer>proctor {} ran each failing test itself, on the clean base. Cost: {}.</footer>\n\
             </main>\n</body>\n</html>\n",
            env!("CARGO_PKG_VERSION"),
            show_usd(self.book.micro_usd()),
        );
        page
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
