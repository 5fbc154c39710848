//! Files that tests read: which they are, and the same trees with other values in them, in all of them at once and in each
//! by itself.

use super::look::{Instead, Seen, Subject};
use crate::branch::Branch;
use crate::vary::{other_data, other_text};
use crate::words::Words;
use proctor_core::observation::{END, Other, Row, Swap, TEXT_OF};
use proctor_core::report::Place;
use proctor_lang::{Language, Zone, zone};
use std::collections::{BTreeMap, BTreeSet};

/// How many files are looked into, and how large one may be.
const MOST_FILES: usize = 32;
const MOST_BYTES: usize = 4 * 1024 * 1024;
/// How many are others by themselves: each is a start of the tool.
const MOST_ALONE: usize = 3;

/// One way in which files are others.
pub(super) struct Way {
    pub(super) files: Instead,
    pub(super) what: String,
}

/// The ways in which the files are others that these tests read: numbers and digits, then letters, in all at once; then the
/// letters of each by itself, where there are several.
pub(super) fn ways(branch: &Branch<'_>, subjects: &[Subject], words: &Words) -> Vec<Way> {
    let texts = read_by(branch, subjects);
    let other = |(path, text): (&String, &String), way: usize| {
        let other = if is_data(path) {
            other_data(path, text, way)
        } else {
            other_text(text, way, &|word| words.were_there(word))
        };
        Some((path.clone(), other?))
    };
    let all = |way: usize| Way {
        files: texts.iter().filter_map(|file| other(file, way)).collect(),
        what: "values in files".to_owned(),
    };
    let alone = |file: (&String, &String)| Way {
        files: other(file, 1).into_iter().collect(),
        what: format!("{TEXT_OF}{}", file.0),
    };
    let single = texts.iter().filter(|(path, _)| !is_data(path)).take(MOST_ALONE);
    let mut ways: Vec<Way> = if texts.len() == 1 {
        // Three that bring the base back are no chance.
        texts.iter().filter(|(path, _)| !is_data(path)).map(|_| all(2)).collect()
    } else {
        single.map(alone).collect()
    };
    ways.splice(0..0, (0..2).map(all));
    ways.retain(|way| !way.files.is_empty());
    ways
}

/// What tests saw with another text in a file. A text that can't be read any more, where it was, says nothing.
pub(super) fn readable(files: &Instead, own: &Seen, mut seen: Seen) -> Seen {
    let broke = |rows: &[Row]| {
        let broken = |r: &Row| r.raised.as_ref().is_some_and(|what| !what.contains("Assert"));
        rows.iter().any(|row| row.site == END && broken(row))
    };
    if files.keys().any(|path| !is_data(path)) {
        seen.retain(|key, rows| !broke(rows) || own.get(key).is_none_or(|rows| broke(rows)));
    }
    seen
}

/// What a test sees where the one file is another that may hold what it expects.
pub(super) fn expecting(what: &str, rows: Option<&Vec<Row>>) -> Option<Other> {
    let file = what.strip_prefix(TEXT_OF)?.to_owned();
    let place = Place { file: file.clone(), line: None };
    let now = format!("another text in {file}");
    Some(Other { swap: Swap::Expectation, place, was: file, now, rows: rows?.clone() })
}

/// The files of cases that stand among head's tests or are named by these, and the texts of head's tests that these name.
fn read_by(branch: &Branch<'_>, subjects: &[Subject]) -> BTreeMap<String, String> {
    let files: BTreeSet<&str> = subjects.iter().map(|s| s.item.place.file.as_str()).collect();
    let sources: Vec<&str> = files.into_iter().filter_map(|file| branch.head.text(file)).collect();
    let says = |name: &str| sources.iter().any(|text| text.contains(name));
    let quoted = |name: &str| ['"', '\''].iter().any(|q| says(&format!("{q}{name}{q}")));
    let named = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        name.len() > 3 && says(name) || quoted(name.split('.').next().unwrap_or(name))
    };
    // A folder that is gone through is named, and its new files are what is asked for.
    let listed = |path: &str| {
        let folder = path.rsplit('/').nth(1).unwrap_or_default();
        branch.touched.contains(path) && !folder.is_empty() && quoted(folder)
    };
    let fits = |path: &&str| {
        let of_tests = zone(path) == Zone::Test;
        is_data(path) && (of_tests || named(path))
            || is_text(path) && of_tests && (named(path) || listed(path))
    };
    let paths = branch.head.paths().into_iter().filter(fits).map(str::to_owned);
    let paths: Vec<String> = paths.take(MOST_FILES).collect();
    let mut texts = (branch.texts)(branch.head.tree(), &paths);
    texts.retain(|_, text| text.len() <= MOST_BYTES);
    texts
}

/// What may hold cases.
pub(super) fn is_data(path: &str) -> bool {
    let ending = path.rsplit('.').next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or(path);
    matches!(ending, "json" | "jsonl" | "ndjson" | "csv" | "tsv")
        && !matches!(name, "package.json" | "package-lock.json" | "tsconfig.json")
}

/// What may hold a text, and is neither a source nor a record that a tool keeps.
fn is_text(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let kept = [".json", ".snap", ".lock", ".toml.orig", ".pyc", ".md5", ".pem"];
    let tool = matches!(name, "package.json" | "requirements.txt" | "go.mod" | "go.sum");
    !is_data(path)
        && !tool
        && Language::of(path).is_none()
        && !kept.iter().any(|k| name.ends_with(k))
}
