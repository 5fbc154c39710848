//! The JSON events of one test binary that was run by itself. Judges its completeness, not why a test failed.

use serde::Deserialize;
use std::collections::BTreeMap;

/// What a test binary told.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    pub ends: BTreeMap<String, LibtestEnd>,
    /// The test that began last and did not end.
    pub running: Option<String>,
    /// The closing event, which a binary that leaves early never writes.
    pub closed: Option<Closed>,
    /// What was told more than once: a test that ended twice, a second closing event. Only code that writes
    /// events itself does that.
    pub twice: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LibtestEnd {
    Ok,
    Failed(String),
    Ignored(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Closed {
    pub passed: usize,
    pub failed: usize,
    pub ignored: usize,
}

impl Closed {
    /// The same numbers, counted from the single events.
    pub(crate) fn count(ends: &BTreeMap<String, LibtestEnd>) -> Self {
        let mut counted = Self { passed: 0, failed: 0, ignored: 0 };
        for end in ends.values() {
            match end {
                LibtestEnd::Ok => counted.passed += 1,
                LibtestEnd::Failed(_) => counted.failed += 1,
                LibtestEnd::Ignored(_) => counted.ignored += 1,
            }
        }
        counted
    }
}

#[derive(Deserialize)]
struct Event {
    #[serde(rename = "type")]
    kind: String,
    #[serde(rename = "event")]
    word: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    stdout: String,
    #[serde(default)]
    message: String,
    #[serde(default)]
    passed: usize,
    #[serde(default)]
    failed: usize,
    #[serde(default)]
    ignored: usize,
}

pub(crate) fn read(stdout: &[u8]) -> Told {
    let mut told = Told::default();
    let mut under_way: Vec<String> = Vec::new();
    for line in String::from_utf8_lossy(stdout).lines() {
        // A test may write past the capture, also in front of an event on the same line.
        // Harnesses that imitate libtest leave out the space.
        let Some(event) = line
            .find("{ \"type\"")
            .or_else(|| line.find("{\"type\""))
            .and_then(|at| serde_json::from_str::<Event>(line.get(at..)?).ok())
        else {
            continue;
        };
        match (event.kind.as_str(), event.word.as_str()) {
            ("suite", "ok" | "failed") => {
                let (passed, failed, ignored) = (event.passed, event.failed, event.ignored);
                if told.closed.replace(Closed { passed, failed, ignored }).is_some() {
                    told.twice.get_or_insert("the end of the run".to_owned());
                }
            }
            ("test", "started") => under_way.push(event.name),
            ("test", word) => {
                under_way.retain(|name| *name != event.name);
                let text = if event.stdout.is_empty() {
                    event.message
                } else {
                    format!("{}{}", event.stdout, event.message)
                };
                let end = match word {
                    "ok" => LibtestEnd::Ok,
                    "ignored" => LibtestEnd::Ignored(text),
                    // A warning that it takes long.
                    "timeout" => continue,
                    _ => LibtestEnd::Failed(text),
                };
                if told.ends.insert(event.name.clone(), end).is_some() {
                    told.twice.get_or_insert(format!("the end of {}", event.name));
                }
            }
            _ => {}
        }
    }
    told.running = under_way.pop();
    told
}
