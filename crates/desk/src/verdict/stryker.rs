//! The mutants of a verification in the schema of mutation testing reports, which Stryker's viewer and its dashboard read.
//! Files are shown as far as their text is at hand; else the lines that mutants touch are.

use super::json;
use proctor_core::branch::{Fate, Mutant};
use proctor_core::verdict::Verification;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    schema_version: &'static str,
    thresholds: Thresholds,
    files: BTreeMap<&'a str, File>,
    framework: Framework,
}

#[derive(Serialize)]
struct Thresholds {
    high: u8,
    low: u8,
}

#[derive(Serialize)]
struct Framework {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct File {
    language: String,
    source: String,
    mutants: Vec<Row>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    id: String,
    mutator_name: String,
    description: String,
    replacement: String,
    location: Location,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_reason: Option<&'static str>,
}

#[derive(Serialize)]
struct Location {
    start: Spot,
    end: Spot,
}

/// Both count from 1.
#[derive(Clone, Copy, Serialize)]
struct Spot {
    line: u32,
    column: u32,
}

const SCHEMA: &str = "https://git.io/mutation-testing-schema";

pub(super) fn render(v: &Verification, sources: &BTreeMap<String, String>) -> String {
    let mut files: BTreeMap<&str, File> = BTreeMap::new();
    for (n, mutant) in v.mutants.iter().enumerate() {
        let path = mutant.place.file.as_str();
        let file = files.entry(path).or_insert_with(|| File {
            language: language(path).to_owned(),
            source: sources.get(path).cloned().unwrap_or_else(|| known_lines(path, &v.mutants)),
            mutants: Vec::new(),
        });
        file.mutants.push(row(n + 1, mutant));
    }
    let framework = Framework { name: "proctor", version: env!("CARGO_PKG_VERSION") };
    let thresholds = Thresholds { high: 80, low: 60 };
    json(&Report { schema: SCHEMA, schema_version: "2", thresholds, files, framework })
}

fn row(no: usize, mutant: &Mutant) -> Row {
    let (status, status_reason) = match mutant.fate {
        Fate::Killed => ("Killed", None),
        Fate::Survived => ("Survived", None),
        Fate::NotViable => {
            ("CompileError", Some("it does not build, or nothing can be run with it"))
        }
        Fate::NotTried => ("Ignored", Some("not every test that could notice it was run with it")),
    };
    let (location, replacement) = place(mutant);
    Row {
        id: no.to_string(),
        mutator_name: mutant.what.clone(),
        description: mutant.what.clone(),
        replacement,
        location,
        status,
        status_reason,
    }
}

/// Where the changed text stands, and what stands there instead: what both sides begin and end with is left out.
fn place(mutant: &Mutant) -> (Location, String) {
    let (mut line, mut first) = (mutant.place.line.unwrap_or(1).max(1), None);
    let (mut old, mut new) = (Vec::new(), Vec::new());
    let is_head = |text: &&str| text.starts_with("--- ") || text.starts_with("+++ ");
    for text in mutant.diff.lines().skip_while(is_head) {
        if let Some(hunk) = text.strip_prefix("@@ -") {
            let number = hunk.split([',', ' ']).next().and_then(|n| n.parse().ok());
            line = number.unwrap_or(line);
        } else if let Some(text) = text.strip_prefix('-') {
            first.get_or_insert(line);
            old.push(text);
            line += 1;
        } else if let Some(text) = text.strip_prefix('+') {
            first.get_or_insert(line);
            new.push(text);
        } else {
            line += 1;
        }
    }
    let first = first.unwrap_or(line).max(1);
    let (old, new) = (old.join("\n"), new.join("\n"));
    let alike = |a: &mut dyn Iterator<Item = char>, b: &mut dyn Iterator<Item = char>| {
        a.zip(b).take_while(|(a, b)| a == b).count()
    };
    let head = alike(&mut old.chars(), &mut new.chars());
    let least = old.chars().count().min(new.chars().count()) - head;
    let tail = alike(&mut old.chars().rev(), &mut new.chars().rev()).min(least);
    let cut = |text: &str| -> String {
        let many = text.chars().count() - head - tail;
        text.chars().skip(head).take(many).collect()
    };
    let start = walked(Spot { line: first, column: 1 }, old.chars().take(head));
    let end = walked(start, cut(&old).chars());
    (Location { start, end }, cut(&new))
}

fn walked(from: Spot, text: impl Iterator<Item = char>) -> Spot {
    text.fold(from, |at, c| match c {
        '\n' => Spot { line: at.line + 1, column: 1 },
        _ => Spot { line: at.line, column: at.column + 1 },
    })
}

/// The lines that the diffs show, at their places; the rest is empty.
fn known_lines(path: &str, mutants: &[Mutant]) -> String {
    let mut known: BTreeMap<u32, &str> = BTreeMap::new();
    for mutant in mutants.iter().filter(|mutant| mutant.place.file == path) {
        let mut line = 0;
        for text in mutant.diff.lines() {
            if let Some(hunk) = text.strip_prefix("@@ -") {
                line = hunk.split([',', ' ']).next().and_then(|n| n.parse().ok()).unwrap_or(0);
            } else if line > 0 && text.starts_with([' ', '-']) {
                known.insert(line, text.get(1..).unwrap_or_default());
                line += 1;
            }
        }
    }
    let last = known.keys().last().copied().unwrap_or(0);
    let text = |line| known.get(&line).copied().unwrap_or_default();
    (1..=last).flat_map(|line| [text(line), "\n"]).collect()
}

fn language(path: &str) -> &str {
    match path.rsplit('.').next().unwrap_or_default() {
        "py" => "python",
        "rs" => "rust",
        "go" => "go",
        "java" => "java",
        "js" | "mjs" | "cjs" | "jsx" => "javascript",
        "ts" | "mts" | "cts" | "tsx" => "typescript",
        other => other,
    }
}
