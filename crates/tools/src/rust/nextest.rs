//! What nextest told: its list of tests, its exit code and its `JUnit` file, which must agree. A test that leaves its
//! process with success is counted as passed by nextest, so each passed test must show libtest's own closing line.

use super::cargo::junit_file;
use super::missing::Names;
use super::panic;
use super::read::{Cases, asked, broken, crashed, suspect};
use super::steps::{LIST, RUN};
use crate::ask::{Ask, StepEnd, StepOutput};
use crate::junit::{self, JunitCase, JunitEnd};
use proctor_core::report::{Case, CaseEnd, Reason, RunEnd, TestReport};
use proctor_core::words::TestId;
use proctor_lang::child_file;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Deserialize)]
struct Listing {
    #[serde(rename = "rust-suites")]
    suites: BTreeMap<String, Suite>,
}

#[derive(Deserialize)]
struct Suite {
    testcases: BTreeMap<String, Listed>,
}

#[derive(Deserialize)]
struct Listed {
    ignored: bool,
}

/// The report of the steps that followed the build.
pub(crate) fn read(ask: &Ask, steps: &[StepOutput], names: &Names) -> TestReport {
    let find = |label: &str| steps.iter().find(|s| s.label == label);
    let Some(list) = find(LIST) else {
        return crashed("the tests were not listed".to_owned());
    };
    if list.end != StepEnd::Exited(0) {
        return TestReport::empty(broken("cargo nextest list", &list.end, list, None));
    }
    let listing: Listing = match serde_json::from_slice(&list.stdout) {
        Ok(listing) => listing,
        Err(why) => return suspect(format!("nextest's list can't be read: {why}"), Cases::new()),
    };
    let Some(run) = find(RUN) else {
        return crashed("the tests were not run".to_owned());
    };
    let (expected, mut cases) = listed(ask, listing);
    let code = match &run.end {
        StepEnd::Exited(code @ (0 | 100)) => *code,
        other => {
            let end = broken("cargo nextest run", other, run, None);
            return TestReport { end, cases };
        }
    };
    if expected.is_empty() && code == 0 {
        let end = if cases.is_empty() { RunEnd::NoTests } else { RunEnd::Finished };
        return TestReport { end, cases };
    }
    let file = child_file::read(junit_file(ask)).map_err(|e| e.to_string());
    let junit = match file.and_then(|bytes| junit::read(&bytes)) {
        Ok(junit) => junit,
        Err(why) => return suspect(format!("nextest's JUnit file can't be read: {why}"), cases),
    };
    match results(ask, code, &expected, &junit, names, &mut cases) {
        Some(note) => suspect(note, cases),
        None => TestReport { end: RunEnd::Finished, cases },
    }
}

/// The tests that must have a result, and those that are ignored.
fn listed(ask: &Ask, listing: Listing) -> (BTreeSet<TestId>, Cases) {
    let mut cases = Cases::new();
    let mut expected = BTreeSet::new();
    for (binary, suite) in listing.suites {
        for (name, listed) in suite.testcases {
            let id = TestId::new(format!("{binary} {name}"));
            if !asked(ask, &id) {
                continue;
            }
            if listed.ignored {
                let end = CaseEnd::Skipped { why: "ignored".to_owned() };
                cases.insert(id, Case { end, took_ms: None });
            } else {
                expected.insert(id);
            }
        }
    }
    (expected, cases)
}

/// Puts the results among the cases; gives the first thing that does not agree.
fn results(
    ask: &Ask,
    code: i32,
    expected: &BTreeSet<TestId>,
    junit: &[JunitCase],
    names: &Names,
    cases: &mut Cases,
) -> Option<String> {
    let mut notes = Vec::new();
    for case in junit {
        let id = TestId::new(format!("{} {}", case.suite, case.name));
        if !asked(ask, &id) {
            continue;
        }
        if !expected.contains(&id) {
            notes.push(format!("{id} ran and was not listed"));
        }
        let left = case.end == JunitEnd::Passed && !says_passed(&case.stdout);
        let end = if left {
            let message = "it left its process before the test was over".to_owned();
            notes.push(format!("{id} was counted as passed, but {message}"));
            CaseEnd::Errored { message }
        } else {
            case_end(case, names)
        };
        let result = Case { end, took_ms: case.took_ms };
        if cases.insert(id.clone(), result).is_some() {
            notes.push(format!("{id} has two results"));
        }
    }
    if let Some(id) = expected.iter().find(|id| !cases.contains_key(id)) {
        notes.push(format!("{id} was listed and has no result"));
    }
    let bad =
        junit.iter().any(|c| matches!(c.end, JunitEnd::Failed { .. } | JunitEnd::Errored { .. }));
    if bad != (code == 100) {
        notes.push(format!("nextest ended with {code}, which its results do not bear out"));
    }
    notes.into_iter().next()
}

/// libtest's closing line, which a test that leaves the process never reaches.
fn says_passed(stdout: &str) -> bool {
    stdout.lines().any(|line| line.starts_with("test result: ok. 1 passed;"))
}

fn case_end(case: &JunitCase, names: &Names) -> CaseEnd {
    match &case.end {
        JunitEnd::Passed => CaseEnd::Passed,
        JunitEnd::Skipped(why) => CaseEnd::Skipped { why: why.clone() },
        // The test could not be started at all.
        JunitEnd::Errored { text } => CaseEnd::Errored { message: text.clone() },
        JunitEnd::Failed { kind, text } => {
            // A panic is on the error channel; what libtest itself says of a test is on the other.
            let output = format!("{}\n{}", case.stderr, case.stdout);
            let reason = match panic::reason(&output, &case.name, names) {
                Reason::Other { message, place: None } => {
                    Reason::Other { message: format!("{kind}\n{text}\n{message}"), place: None }
                }
                Reason::Assertion { place: None, .. } => {
                    Reason::Assertion { message: text.clone(), place: None }
                }
                reason => reason,
            };
            panic::end_for(reason)
        }
    }
}
