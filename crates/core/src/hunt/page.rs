//! The notebook for people and other programs: one Markdown page a bug, and the JSON files. Writes nothing.

use super::{Bug, Notebook};
use serde_json::{Value, json};
use std::fmt::Write;

/// The page of a bug as its parts, in order. Each begins with its heading; none ever changes once it is there.
pub fn page(bug: &Bug) -> Vec<String> {
    let mut head = format!("# {}: {}\n\n", bug.id, line(&bug.short_description));
    let _ = writeln!(head, "- severity: {}", line(&bug.severity));
    let _ = writeln!(head, "- entry point: {}", line(&bug.entrypoint));
    if !bug.relevant_files.is_empty() {
        let _ = writeln!(head, "- files: {}", line(&bug.relevant_files.join(", ")));
    }
    let _ = write!(head, "\n## Details\n\n{}\n", plain(&bug.details));
    let mut parts = vec![head];
    parts.extend(bug.sections.iter().map(|s| format!("## {}\n\n{}\n", s.title, plain(&s.text))));
    parts
}

/// `bugs.json`.
pub fn bugs_json(book: &Notebook) -> Value {
    let bugs: Vec<Value> = book.bugs.iter().map(bug_json).collect();
    json!({"bugs": bugs})
}

/// One bug as it stands in `bugs.json`.
pub fn bug_json(bug: &Bug) -> Value {
    let mut value = serde_json::to_value(bug).unwrap_or_default();
    if let Some(object) = value.as_object_mut() {
        object.insert("details_file".to_owned(), json!(format!("bugs/{}.md", bug.id)));
        object.insert("reported".to_owned(), json!(bug.is_reported()));
    }
    value
}

/// `fixes.json`.
pub fn fixes_json(book: &Notebook) -> Value {
    json!({"fixes": book.fixes})
}

/// `entrypoints.json`: the queue in its order, and what was scouted.
pub fn entrypoints_json(book: &Notebook) -> Value {
    let queue: Vec<&str> = book.queue.iter().map(|one| one.path.as_str()).collect();
    let waiting: Vec<Value> = book
        .queue
        .iter()
        .map(|one| {
            json!({
                "path": one.path, "by": one.by.name(),
                "fault": one.failed.as_ref().map(|(_, why)| why),
            })
        })
        .collect();
    let scouted: Vec<Value> = book
        .scouted
        .iter()
        .map(|one| json!({"path": one.path, "summary": one.summary, "at": one.at}))
        .collect();
    json!({"entrypoints": queue, "waiting": waiting, "scouted": scouted})
}

fn line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// A text that an agent chose can't begin a section of its own.
fn plain(text: &str) -> String {
    let guarded: Vec<String> = text
        .trim()
        .lines()
        .map(|line| match line.trim_start().strip_prefix('#') {
            Some(rest) => format!("\\#{rest}"),
            None => line.to_owned(),
        })
        .collect();
    guarded.join("\n")
}
