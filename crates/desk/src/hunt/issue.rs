//! A proven bug for others: an issue text with the failing test, how to run it and what was measured; SARIF for code
//! scanning.

use crate::text::harmless::harmless;
use proctor_core::hunt::{Bug, Sighting};
use serde_json::{Value, json};
use std::fmt::Write;

/// The text of an issue, in Markdown.
pub fn issue(bug: &Bug, proof: &Sighting) -> String {
    let mut text = format!("# {}\n\n{}\n", line(&bug.short_description), harmless(&bug.details));
    if !bug.relevant_files.is_empty() {
        let _ = write!(text, "\nFiles: {}\n", line(&bug.relevant_files.join(", ")));
    }
    text.push_str("\n## The failing test\n");
    for file in &proof.files {
        let _ = write!(text, "\n`{}`:\n\n{}\n", line(&file.path), fenced(&file.text));
    }
    let _ = write!(
        text,
        "\n## How to run it\n\nOn commit `{}`, with the file above in its place:\n\n{}\n\n## What was measured\n\n\
         Fails on the clean base, each time, in a fresh tree:\n\n",
        line(&proof.base),
        fenced(&proof.command)
    );
    for test in &proof.tests {
        let _ = writeln!(text, "- `{}`", line(test));
    }
    if let Some(place) = &proof.place {
        let _ = write!(text, "\nIt breaks at `{}`.\n", line(place));
    }
    let _ = write!(
        text,
        "\n{}\n\nFound and proven by proctor {} ({}).\n",
        fenced(&proof.output),
        env!("CARGO_PKG_VERSION"),
        bug.id
    );
    text
}

/// One SARIF log with one result.
pub fn sarif(bug: &Bug, proof: &Sighting) -> Value {
    let place = proof.place.clone().or_else(|| bug.relevant_files.first().cloned());
    let location = place.map(|place| {
        let (file, number) = match place.rsplit_once(':') {
            Some((file, number)) => (file.to_owned(), number.parse::<u32>().ok()),
            None => (place, None),
        };
        let region = number.map(|number| json!({"startLine": number}));
        let mut physical = json!({"artifactLocation": {"uri": file}});
        if let Some(region) = region {
            physical["region"] = region;
        }
        json!({"physicalLocation": physical})
    });
    let locations: Vec<Value> = location.into_iter().collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "proctor",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": [{
                    "id": "proven-bug",
                    "name": "ProvenBug",
                    "shortDescription": {"text": "A bug that a failing test shows on the clean base."},
                    "defaultConfiguration": {"level": "error"},
                }],
            }},
            "automationDetails": {"id": "proctor-hunt/"},
            "results": [{
                "ruleId": "proven-bug",
                "ruleIndex": 0,
                "level": "error",
                "message": {"text": harmless(&format!(
                    "{}\n\n{}\n\nShown by: {}\n{}", bug.short_description, bug.details, proof.tests.join(", "), proof.output
                ))},
                "locations": locations,
                "partialFingerprints": {"proctorBug/v1": bug.id},
            }],
        }],
    })
}

fn line(text: &str) -> String {
    crate::text::harmless::one_line(text)
}

/// Between fences that nothing inside can close.
fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}\n{}\n{fence}", harmless(text.trim_end()))
}
