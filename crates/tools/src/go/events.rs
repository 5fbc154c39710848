//! The events that `go test -json` writes, sorted by package and test. Says what was told and what does not fit
//! together; judges nothing.
//!
//! Go marks real lines of the test frame since 1.20, and a test can print that mark too. So no single event counts for
//! much: a test has to begin once and end once, and its package has to close with its own line and its own event.
//!
//! That is one channel, and the tests write to it. Code that prints a whole and flawless run and then leaves with success
//! can't be told from an honest one here. What betrays it is a test whose name it does not know: that one never runs.

use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Event {
    action: String,
    package: String,
    test: String,
    output: String,
    output_type: String,
    elapsed: f64,
    failed_build: String,
}

/// Everything that one `go test` told.
#[derive(Debug, Default)]
pub(crate) struct Told {
    pub(crate) packages: BTreeMap<String, PackageTold>,
    /// What the compiler and vet said.
    pub(crate) compiler: String,
    /// A line that is no event.
    pub(crate) astray: Option<String>,
}

#[derive(Debug, Default)]
pub(crate) struct PackageTold {
    pub(crate) tests: BTreeMap<String, TestTold>,
    pub(crate) end: Option<PackageEnd>,
    /// The `PASS` or `FAIL` that the testing package prints when all tests are done.
    pub(crate) closed: Option<Closed>,
    pub(crate) output: String,
    /// The first event that does not fit.
    pub(crate) odd: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PackageEnd {
    Passed,
    Failed,
    NoTestFiles,
    NotBuilt,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closed {
    Pass,
    Fail,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct TestTold {
    pub(crate) end: Option<TestEnd>,
    pub(crate) lines: Vec<Line>,
    pub(crate) took_ms: u64,
    /// Counts up over the whole run.
    pub(crate) begun: usize,
    pub(crate) paused: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TestEnd {
    Passed,
    Failed,
    Skipped,
}

#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) text: String,
    pub(crate) kind: LineKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKind {
    /// `=== RUN`, `--- FAIL` and the like.
    Frame,
    /// Told as an error of the test (Go 1.26 and later tell them apart).
    Error,
    Plain,
}

pub(crate) fn read(stdout: &[u8]) -> Told {
    let text = String::from_utf8_lossy(stdout);
    let mut told = Told::default();
    for (at, line) in text.lines().enumerate() {
        if let Ok(event) = serde_json::from_str::<Event>(line) {
            told.take(event, at);
        } else if let Some(package) = not_built(line) {
            told.packages.entry(package.to_owned()).or_default().finish(PackageEnd::NotBuilt);
        } else if !line.trim().is_empty() {
            told.astray.get_or_insert_with(|| line.to_owned());
        }
    }
    told
}

/// Before 1.24 a package that does not build has a plain line instead of an event.
fn not_built(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("FAIL\t")?;
    let (package, why) = rest.split_once(" [")?;
    matches!(why, "build failed]" | "setup failed]").then_some(package)
}

impl Told {
    fn take(&mut self, event: Event, at: usize) {
        match event.action.as_str() {
            "build-output" => self.compiler.push_str(&event.output),
            "build-fail" => {}
            _ => {
                let package = self.packages.entry(event.package.clone()).or_default();
                if event.test.is_empty() {
                    package.take(&event);
                } else {
                    package.take_of_test(event, at);
                }
            }
        }
    }
}

impl PackageTold {
    fn odd(&mut self, what: String) {
        self.odd.get_or_insert(what);
    }

    fn finish(&mut self, end: PackageEnd) {
        if self.end.is_some() {
            self.odd("it ended twice".to_owned());
        }
        self.end = Some(end);
    }

    fn take(&mut self, event: &Event) {
        match event.action.as_str() {
            "pass" => self.finish(PackageEnd::Passed),
            "fail" if event.failed_build.is_empty() => self.finish(PackageEnd::Failed),
            "fail" => self.finish(PackageEnd::NotBuilt),
            "skip" => self.finish(PackageEnd::NoTestFiles),
            "output" => {
                let closed = match event.output.as_str() {
                    "PASS\n" => Some(Closed::Pass),
                    "FAIL\n" => Some(Closed::Fail),
                    _ => None,
                };
                if closed.is_some() && self.closed.is_some() {
                    self.odd("it told its result twice".to_owned());
                }
                self.closed = closed.or(self.closed);
                self.output.push_str(&event.output);
            }
            _ => {}
        }
    }

    fn take_of_test(&mut self, event: Event, at: usize) {
        let Event { action, test: name, output, output_type, elapsed, .. } = event;
        if self.end.is_some() {
            self.odd(format!("{name} has an event after the end"));
        }
        if action == "run" {
            let known = self.tests.contains_key(&name);
            // A subtest's name may hold slashes of its own, so of the names above it only one need be known.
            let orphan = name.contains('/') && !self.tests.keys().any(|k| is_below(&name, k));
            if known || orphan || self.closed.is_some() {
                self.odd(format!("{name} began where it could not"));
            }
            self.tests.entry(name).or_default().begun = at;
            return;
        }
        let end = match action.as_str() {
            "pass" => Some(TestEnd::Passed),
            "fail" => Some(TestEnd::Failed),
            "skip" => Some(TestEnd::Skipped),
            _ => None,
        };
        let Some(test) = self.tests.get_mut(&name) else {
            if end.is_some() {
                self.odd(format!("{name} ended and never began"));
            }
            return;
        };
        match action.as_str() {
            "output" => test.lines.push(line(output, &output_type)),
            "pause" => test.paused = true,
            "cont" => test.paused = false,
            _ => {}
        }
        if let Some(end) = end {
            let again = test.end.is_some();
            test.end = Some(end);
            test.took_ms = millis(elapsed);
            if again {
                self.odd(format!("{name} ended twice"));
            }
        }
    }

    /// The tests that began and did not end, without those that only wait for a subtest.
    pub(crate) fn unfinished(&self) -> Vec<(&str, &TestTold)> {
        let open: Vec<(&str, &TestTold)> = self
            .tests
            .iter()
            .filter(|(_, t)| t.end.is_none())
            .map(|(name, told)| (name.as_str(), told))
            .collect();
        let is_parent = |name: &str| open.iter().any(|(other, _)| is_below(other, name));
        open.iter().filter(|(name, _)| !is_parent(name)).copied().collect()
    }
}

/// Whether a name is that of a subtest of a test.
fn is_below(name: &str, parent: &str) -> bool {
    name.strip_prefix(parent).is_some_and(|rest| rest.starts_with('/'))
}

fn line(text: String, kind: &str) -> Line {
    const FRAMES: [&str; 8] = [
        "=== RUN ",
        "=== PAUSE ",
        "=== CONT ",
        "=== NAME ",
        "--- PASS: ",
        "--- FAIL: ",
        "--- SKIP: ",
        "=== ATTR ",
    ];
    let kind = match kind {
        "frame" => LineKind::Frame,
        "error" | "error-continue" => LineKind::Error,
        _ if FRAMES.iter().any(|f| text.trim_start().starts_with(f)) => LineKind::Frame,
        _ => LineKind::Plain,
    };
    Line { text, kind }
}

/// Seconds as Go tells them.
fn millis(seconds: f64) -> u64 {
    std::time::Duration::try_from_secs_f64(seconds)
        .map_or(0, |d| u64::try_from(d.as_millis()).unwrap_or(u64::MAX))
}
