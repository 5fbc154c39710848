//! Makes one verdict of a cargo run out of the build's messages, the exit codes, and what nextest, each test binary and
//! rustdoc told. What does not agree is suspect.

use super::build::{Build, TestBinary};
use super::cargo::{single_binaries, with_nextest};
use super::course::Course;
use super::harness::{self, Harness};
use super::libtest::{self, Closed, LibtestEnd};
use super::missing::Names;
use super::steps::{BUILD, LIBRARIES};
use super::{doc, nextest, panic, surroundings};
use crate::ask::{Ask, Selection, StepEnd, StepOutput};
use proctor_core::report::{Case, CaseEnd, RunEnd, TestReport};
use proctor_core::words::TestId;
use std::collections::BTreeMap;

pub(crate) type Cases = BTreeMap<TestId, Case>;

pub(crate) fn read(ask: &Ask, done: &[StepOutput]) -> TestReport {
    let (code, build, rest) = match Course::of(ask, done) {
        Course::NotBegun => return crashed("cargo was not run".to_owned()),
        Course::Broke(step) => {
            return TestReport::empty(broken(&step.label, &step.end, step, None));
        }
        Course::Stale(_) | Course::Cleaned | Course::HalfBuilt => {
            return crashed("the build was not ended".to_owned());
        }
        Course::Built { code, build, rest } => (code, build, rest),
    };
    if let Some(end) = unusable(done, code, &build) {
        return TestReport::empty(end);
    }
    let names = Names::of(ask);
    let mut report = if with_nextest(ask, code, rest) {
        nextest::read(ask, rest, &names)
    } else {
        TestReport::empty(RunEnd::Finished)
    };
    if is_good(&report.end) {
        let (cases, end) = by_binary(ask, code, &build, rest, &names);
        add(&mut report, cases, end);
    }
    if is_good(&report.end) && doc::are_wanted(ask, &build) {
        let (cases, end) = doc::read(ask, rest, code, &names);
        add(&mut report, cases, end);
    }
    if is_good(&report.end) {
        report.end = if code != 0 {
            RunEnd::CollectFailed { errors: build.errors }
        } else if report.cases.is_empty() {
            RunEnd::NoTests
        } else {
            RunEnd::Finished
        };
    }
    report
}

/// The end of a run whose build gave nothing that could be run.
fn unusable(done: &[StepOutput], code: i32, build: &Build) -> Option<RunEnd> {
    let last = done.iter().rfind(|s| [BUILD, LIBRARIES].contains(&s.label.as_str()))?;
    if let Some(trouble) = &build.trouble {
        return Some(RunEnd::Crashed { note: trouble.clone() });
    }
    if !build.finished || (code != 0 && build.errors.is_empty()) {
        let what = if build.finished {
            "and the compiler named no error"
        } else {
            "before it built anything"
        };
        let hint = surroundings::hint_for_cargo(&String::from_utf8_lossy(&last.stderr));
        let note = format!("cargo ended with {code} {what}\n{}{hint}", last.tail());
        return Some(RunEnd::Crashed { note });
    }
    if code == 0 && !build.errors.is_empty() {
        let note = "cargo built everything and the compiler reported errors".to_owned();
        return Some(RunEnd::Suspect { note });
    }
    let kept: Vec<&str> = build.stale.iter().map(String::as_str).collect();
    (!kept.is_empty()).then(|| RunEnd::Suspect {
        note: format!("cargo did not build {} from the sources of this tree", kept.join(", ")),
    })
}

fn is_good(end: &RunEnd) -> bool {
    matches!(end, RunEnd::Finished | RunEnd::NoTests)
}

fn add(report: &mut TestReport, cases: Cases, end: RunEnd) {
    report.cases.extend(cases);
    if !is_good(&end) {
        report.end = end;
    }
}

pub(crate) fn crashed(note: String) -> TestReport {
    TestReport::empty(RunEnd::Crashed { note })
}

pub(crate) fn suspect(note: String, cases: Cases) -> TestReport {
    TestReport { end: RunEnd::Suspect { note }, cases }
}

/// The end of a run whose step did not end by itself.
pub(crate) fn broken(
    what: &str,
    end: &StepEnd,
    step: &StepOutput,
    running: Option<TestId>,
) -> RunEnd {
    match end {
        StepEnd::TimedOut => RunEnd::TimedOut { running },
        StepEnd::Signalled(signal) => {
            let at = running.map(|id| format!(" in {id}")).unwrap_or_default();
            RunEnd::Crashed {
                note: format!("{what} was ended by signal {signal}{at}\n{}", step.tail()),
            }
        }
        StepEnd::CouldNotStart(why) => {
            RunEnd::Crashed { note: format!("{what} could not be started: {why}") }
        }
        StepEnd::Exited(code) => {
            RunEnd::Crashed { note: format!("{what} ended with {code}\n{}", step.tail()) }
        }
    }
}

pub(crate) fn asked(ask: &Ask, id: &TestId) -> bool {
    match &ask.only {
        Selection::All => true,
        Selection::Ids(ids) => ids.contains(id),
    }
}

/// What the binaries told that were run by themselves.
fn by_binary(
    ask: &Ask,
    code: i32,
    build: &Build,
    steps: &[StepOutput],
    names: &Names,
) -> (Cases, RunEnd) {
    let mut cases = Cases::new();
    let mut end = RunEnd::Finished;
    for binary in single_binaries(ask, (code, build), steps) {
        let its_end = match steps.iter().find(|s| s.label == binary.id) {
            None => RunEnd::Suspect { note: format!("the test binary {} was not run", binary.id) },
            Some(step) if binary.harness == Harness::Own && !harness::speaks_json(step) => {
                unread(ask, binary, step, steps, &mut cases)
            }
            Some(step) => one_binary(ask, binary, step, names, &mut cases),
        };
        if end == RunEnd::Finished {
            end = its_end;
        }
    }
    (cases, end)
}

/// A binary with a harness of its own of which only the exit code is known.
fn unread(
    ask: &Ask,
    binary: &TestBinary,
    step: &StepOutput,
    steps: &[StepOutput],
    cases: &mut Cases,
) -> RunEnd {
    let bare = harness::bare_label(binary);
    let step = steps.iter().find(|s| s.label == bare).unwrap_or(step);
    let id = harness::whole(binary);
    match harness::judged(step) {
        Some(end) => {
            if asked(ask, &id) {
                cases.insert(id, Case { end, took_ms: None });
            }
            RunEnd::Finished
        }
        None => broken(&format!("the test binary {}", binary.id), &step.end, step, Some(id)),
    }
}

fn one_binary(
    ask: &Ask,
    binary: &TestBinary,
    step: &StepOutput,
    names: &Names,
    cases: &mut Cases,
) -> RunEnd {
    let told = libtest::read(&step.stdout);
    let id_of = |name: &str| TestId::new(format!("{} {name}", binary.id));
    for (name, told_end) in &told.ends {
        let end = match told_end {
            LibtestEnd::Ok => CaseEnd::Passed,
            LibtestEnd::Ignored(why) => CaseEnd::Skipped {
                why: if why.is_empty() { "ignored".to_owned() } else { why.clone() },
            },
            LibtestEnd::Failed(output) => panic::end_for(panic::reason(output, name, names)),
        };
        if asked(ask, &id_of(name)) {
            cases.insert(id_of(name), Case { end, took_ms: None });
        }
    }
    let counted = Closed::count(&told.ends);
    let running = told.running.as_deref().map(id_of);
    let at = running.as_ref().map(|id| format!(" while {id} was running")).unwrap_or_default();
    let suspect =
        |what: String| RunEnd::Suspect { note: format!("the test binary {} {what}", binary.id) };
    match (&step.end, told.closed) {
        (StepEnd::Exited(_), Some(_)) if told.twice.is_some() => {
            suspect(format!("told twice: {}", told.twice.as_deref().unwrap_or("")))
        }
        (StepEnd::Exited(code), None) => {
            suspect(format!("ended with {code} before it told its result{at}"))
        }
        (StepEnd::Exited(code @ (0 | 101)), Some(closed))
            if closed == counted && (closed.failed > 0) == (*code == 101) =>
        {
            RunEnd::Finished
        }
        (StepEnd::Exited(code), Some(closed)) => suspect(format!(
            "ended with {code} and counts {} passed and {} failed, its events {} and {}",
            closed.passed, closed.failed, counted.passed, counted.failed
        )),
        (other, _) => broken(&format!("the test binary {}", binary.id), other, step, running),
    }
}
