//! The second channel: the report that the tool itself writes, compared with our reporter's lines test by test.

use super::lines::{CaseLine, Kind, State};
use super::tool::{json_file, junit_file};
use crate::ask::Ask;
use crate::json_lines;
use crate::junit::{self, JunitEnd};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What the tool itself writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channel {
    /// jest's JSON, which vitest writes too.
    Json,
    /// node's `JUnit` XML: names without files.
    Junit,
    /// No report; the tool's own numbers in the last of our lines.
    Counted,
}

/// Passed, failed, or neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Passed,
    Failed,
    Neither,
}

/// How often each test is told of with each outcome, by a name that both channels have.
type Tally = BTreeMap<(String, Outcome), usize>;

#[derive(Deserialize)]
struct Report {
    success: bool,
    #[serde(rename = "testResults")]
    files: Vec<File>,
}

#[derive(Deserialize)]
struct File {
    name: String,
    #[serde(rename = "assertionResults")]
    tests: Vec<Test>,
}

#[derive(Deserialize)]
struct Test {
    #[serde(rename = "ancestorTitles")]
    above: Vec<String>,
    title: String,
    status: String,
}

impl Channel {
    pub(crate) fn file(self, ask: &Ask) -> Option<PathBuf> {
        match self {
            Self::Json => Some(json_file(ask)),
            Self::Junit => Some(junit_file(ask)),
            Self::Counted => None,
        }
    }

    /// What the tool's report says that our lines don't; none where they agree.
    /// `ok` is the tool's own word on the whole run.
    pub(crate) fn differs(
        self,
        bytes: Option<&[u8]>,
        lines: &[CaseLine],
        ok: bool,
    ) -> Option<String> {
        let Some(bytes) = bytes else {
            return Some("the tool wrote no report of its own".to_owned());
        };
        let (theirs, success) = match self {
            Self::Json => match json_lines::parsed::<Report>(bytes) {
                Ok(report) => (from_json(&report), Some(report.success)),
                Err(why) => return Some(format!("the tool's own report can't be read: {why}")),
            },
            Self::Junit => match junit::read(bytes) {
                Ok(cases) => (from_junit(&cases), None),
                Err(why) => return Some(format!("the tool's own report can't be read: {why}")),
            },
            Self::Counted => return None,
        };
        // Only this way round: vitest's report does not know of errors outside of tests.
        if success == Some(false) && ok && !lines.is_empty() {
            return Some(
                "the tool's own report says that the run failed, our lines don't".to_owned(),
            );
        }
        difference(&self.ours(lines), &theirs)
    }

    fn ours(self, lines: &[CaseLine]) -> Tally {
        let mut tally = Tally::new();
        for line in lines {
            let name = match self {
                Self::Json if line.kind == Kind::Test => {
                    full_name(&line.at.file, line.at.names.iter())
                }
                Self::Junit if line.leaf => line.at.names.last().cloned().unwrap_or_default(),
                Self::Json | Self::Junit | Self::Counted => continue,
            };
            let outcome = match line.state {
                State::Passed => Outcome::Passed,
                State::Failed => Outcome::Failed,
                // node writes a test to do that failed as failed and as skipped.
                State::Todo if self == Self::Junit && !line.errors.is_empty() => Outcome::Failed,
                State::Skipped | State::Todo | State::Unfinished => Outcome::Neither,
            };
            *tally.entry((folded(&name), outcome)).or_default() += 1;
        }
        tally
    }
}

/// A file and titles as one name. vitest 1 tells of a suite without a name around everything in a file.
fn full_name<'a>(file: &str, titles: impl Iterator<Item = &'a String>) -> String {
    let told = titles.filter(|title| !title.is_empty()).map(|title| format!(" > {title}"));
    format!("{file}{}", told.collect::<String>())
}

fn from_json(report: &Report) -> Tally {
    let mut tally = Tally::new();
    for file in &report.files {
        for test in &file.tests {
            let outcome = match test.status.as_str() {
                "passed" => Outcome::Passed,
                "failed" => Outcome::Failed,
                _ => Outcome::Neither,
            };
            let name = full_name(&file.name, test.above.iter().chain([&test.title]));
            *tally.entry((folded(&name), outcome)).or_default() += 1;
        }
    }
    tally
}

fn from_junit(cases: &[junit::JunitCase]) -> Tally {
    let mut tally = Tally::new();
    for case in cases {
        let outcome = match &case.end {
            JunitEnd::Passed => Outcome::Passed,
            JunitEnd::Skipped(_) => Outcome::Neither,
            JunitEnd::Failed { .. } | JunitEnd::Errored { .. } => Outcome::Failed,
        };
        *tally.entry((folded(&case.name), outcome)).or_default() += 1;
    }
    tally
}

/// XML folds white space in attributes, and can't hold control characters. A quote is escaped twice by some versions of node.
fn folded(name: &str) -> String {
    let name = name.replace("&quot;", "\"");
    let clean: String = name.chars().filter(|c| !c.is_control() || c.is_whitespace()).collect();
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn difference(ours: &Tally, theirs: &Tally) -> Option<String> {
    let say = |(name, outcome): &(String, Outcome), who: &str, other: &str| {
        let word = match outcome {
            Outcome::Passed => "passed",
            Outcome::Failed => "failed",
            Outcome::Neither => "not run",
        };
        format!("`{name}` is {word} in {who}, and not in {other}")
    };
    if let Some(key) = ours.iter().find(|(k, n)| theirs.get(k) != Some(n)).map(|(k, _)| k) {
        return Some(say(key, "our reporter's lines", "the tool's own report"));
    }
    theirs
        .iter()
        .find(|(k, n)| ours.get(k) != Some(n))
        .map(|(key, _)| say(key, "the tool's own report", "our reporter's lines"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_without_a_name_is_no_title() {
        let titles = ["", "cart", "adds"].map(str::to_owned);
        assert_eq!(full_name("a.test.js", titles.iter()), "a.test.js > cart > adds");
    }

    #[test]
    fn a_quote_in_a_title_is_the_same_however_often_it_is_escaped() {
        for written in ["say &quot;hi&quot; &amp; go", "say &amp;quot;hi&amp;quot; &amp; go"] {
            let xml = format!("<testsuites><testcase name=\"{written}\"/></testsuites>");
            let theirs = from_junit(&junit::read(xml.as_bytes()).unwrap());
            let ours = Tally::from([((folded("say \"hi\" & go"), Outcome::Passed), 1)]);
            assert_eq!(difference(&ours, &theirs), None, "{written}");
        }
    }
}
