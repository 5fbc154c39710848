//! Makes one verdict of a cargo run out of the build's messages, the exit codes, and what nextest or each test
//! binary told. What does not agree is suspect.

use crate::ask::{Ask, Nextest, Selection, StepEnd, StepOutput};
use crate::cargo::asked_binaries;
use crate::cargo_build::Build;
use crate::cargo_missing::Names;
use crate::libtest::{self, LibtestEnd};
use crate::{nextest_read, rust_panic};
use proctor_core::report::{Case, CaseEnd, RunEnd, TestReport};
use proctor_core::words::TestId;
use std::collections::BTreeMap;

pub(crate) type Cases = BTreeMap<TestId, Case>;

pub(crate) fn read(ask: &Ask, done: &[StepOutput]) -> TestReport {
    let Some(first) = done.first() else {
        return crashed("cargo was not run".to_owned());
    };
    let code = match &first.end {
        StepEnd::Exited(code) => *code,
        other => return TestReport::empty(broken("cargo build", other, first, None)),
    };
    let build = Build::read(ask, &first.stdout);
    if !build.finished {
        return crashed(format!(
            "cargo ended with {code} before it built anything\n{}",
            first.tail()
        ));
    }
    if code != 0 && build.errors.is_empty() {
        return crashed(format!(
            "cargo ended with {code} and the compiler named no error\n{}",
            first.tail()
        ));
    }
    if code == 0 && !build.errors.is_empty() {
        return suspect(
            "cargo built everything and the compiler reported errors".to_owned(),
            Cases::new(),
        );
    }
    let names = Names::of(ask);
    let with_nextest = code == 0 && ask.tools.nextest == Nextest::Installed;
    let rest = done.get(1..).unwrap_or_default();
    let mut report = if with_nextest {
        nextest_read::read(ask, rest, &names)
    } else {
        by_binary(ask, &build, rest, &names)
    };
    let good = matches!(report.end, RunEnd::Finished | RunEnd::NoTests);
    if code != 0 && good {
        report.end = RunEnd::CollectFailed { errors: build.errors };
    }
    report
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

fn by_binary(ask: &Ask, build: &Build, steps: &[StepOutput], names: &Names) -> TestReport {
    let mut cases = Cases::new();
    let mut end = RunEnd::Finished;
    for binary in asked_binaries(ask, build) {
        let Some(step) = steps.iter().find(|s| s.label == binary.id) else {
            if matches!(end, RunEnd::Finished) {
                end =
                    RunEnd::Suspect { note: format!("the test binary {} was not run", binary.id) };
            }
            continue;
        };
        let told = libtest::read(&step.stdout);
        let id_of = |name: &str| TestId::new(format!("{} {name}", binary.id));
        let mut counted = libtest::Closed { passed: 0, failed: 0, ignored: 0 };
        for (name, told_end) in &told.ends {
            let case_end = match told_end {
                LibtestEnd::Ok => CaseEnd::Passed,
                LibtestEnd::Ignored(why) => CaseEnd::Skipped {
                    why: if why.is_empty() { "ignored".to_owned() } else { why.clone() },
                },
                LibtestEnd::Failed(output) => {
                    CaseEnd::Failed { reason: rust_panic::reason(output, name, names) }
                }
            };
            match told_end {
                LibtestEnd::Ok => counted.passed += 1,
                LibtestEnd::Ignored(_) => counted.ignored += 1,
                LibtestEnd::Failed(_) => counted.failed += 1,
            }
            if asked(ask, &id_of(name)) {
                cases.insert(id_of(name), Case { end: case_end, took_ms: None });
            }
        }
        if !matches!(end, RunEnd::Finished) {
            continue;
        }
        let running = told.running.as_deref().map(id_of);
        let at = running.as_ref().map(|id| format!(" while {id} was running")).unwrap_or_default();
        end = match (&step.end, told.closed) {
            (StepEnd::Exited(code), None) => RunEnd::Suspect {
                note: format!(
                    "the test binary {} ended with {code} before it told its result{at}",
                    binary.id
                ),
            },
            (StepEnd::Exited(code @ (0 | 101)), Some(closed))
                if closed == counted && (closed.failed > 0) == (*code == 101) =>
            {
                RunEnd::Finished
            }
            (StepEnd::Exited(code), Some(closed)) => RunEnd::Suspect {
                note: format!(
                    "the test binary {} ended with {code} and counts {} passed and {} failed, its events {} and {}",
                    binary.id, closed.passed, closed.failed, counted.passed, counted.failed
                ),
            },
            (other, _) => broken(&format!("the test binary {}", binary.id), other, step, running),
        };
    }
    if matches!(end, RunEnd::Finished) && cases.is_empty() {
        end = RunEnd::NoTests;
    }
    TestReport { end, cases }
}
