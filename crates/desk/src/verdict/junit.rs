//! A verification as `JUnit` XML: a suite of the verdict and its checks, and a suite of the tests on both sides.

use super::{digest, observed};
use crate::text::harmless::{fit_for_xml, one_line};
use proctor_core::verdict::{
    Change, Check, CheckStatus, Finding, TestRow, Verdict, Verification, Weight,
};
use proctor_core::words::TestId;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::fmt::Write;
use std::time::Duration;

/// How a test case ended, in `JUnit`'s words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Passed,
    Failure,
    Error,
    Skipped,
}

struct Case {
    class: &'static str,
    name: String,
    end: End,
    /// One line: why.
    message: String,
    body: String,
}

pub fn render(v: &Verification) -> String {
    let took = Duration::from_millis(v.took_ms);
    let mut checks = TestSuite::new("proctor verify");
    checks.set_time(took);
    for (name, value) in [
        ("verdict", v.verdict.name()),
        ("reason", &v.reason),
        ("base", v.base.as_str()),
        ("head", v.head.as_str()),
    ] {
        checks.add_property((name, line(value).as_str()));
    }
    checks.add_test_case(written(&verdict_case(v)));
    checks.add_test_cases(v.checks.iter().map(|check| written(&check_case(v, check))));
    let name = format!("tests {}..{}", v.base.short(), v.head.short());
    let mut tests = TestSuite::new(line(&name));
    tests.add_test_cases(v.tests.iter().map(|(id, row)| written(&test_case(id, row))));
    let mut report = Report::new("proctor verify");
    report.set_time(took).add_test_suites([checks, tests]);
    // Writing to memory can't fail; nothing at all is no report that a reader takes for a good one.
    report.to_string().unwrap_or_default()
}

fn line(text: &str) -> String {
    one_line(&fit_for_xml(text))
}

fn written(case: &Case) -> TestCase {
    let body = fit_for_xml(case.body.trim_end());
    let mut status = match case.end {
        End::Passed => TestCaseStatus::success(),
        End::Failure => TestCaseStatus::non_success(NonSuccessKind::Failure),
        End::Error => TestCaseStatus::non_success(NonSuccessKind::Error),
        End::Skipped => TestCaseStatus::skipped(),
    };
    if case.end != End::Passed {
        status.set_message(line(&case.message));
    }
    match case.end {
        End::Failure => status.set_type("failure").set_description(body.as_str()),
        End::Error => status.set_type("error").set_description(body.as_str()),
        End::Passed | End::Skipped => &mut status,
    };
    let mut made = TestCase::new(line(&case.name), status);
    made.set_classname(case.class);
    if case.end == End::Passed && !body.is_empty() {
        made.set_system_out(body);
    }
    made
}

/// Readers of `JUnit` know failures and errors only: an open verdict has to be one of them.
fn verdict_case(v: &Verification) -> Case {
    let end = match v.verdict {
        Verdict::Proven | Verdict::Unaffected => End::Passed,
        Verdict::Refuted => End::Failure,
        Verdict::Inconclusive => End::Error,
    };
    let left_out = v.left_out.iter().map(|text| format!("left out: {}\n", one_line(text)));
    let message = format!("{}: {}", v.verdict.name(), v.reason);
    Case {
        class: "proctor.verify",
        name: "verdict".to_owned(),
        end,
        message,
        body: left_out.collect(),
    }
}

fn check_case(v: &Verification, check: &Check) -> Case {
    let end = match check.status {
        CheckStatus::Pass | CheckStatus::Warn => End::Passed,
        CheckStatus::Fail => End::Failure,
        CheckStatus::Error => End::Error,
        CheckStatus::Skip => End::Skipped,
    };
    let mut body = format!("{}: {}\n", check.status.name(), check.summary);
    for finding in check.details.iter().filter(|f| f.weight >= Weight::Warning) {
        body.push_str(&finding_text(finding));
        body.extend(observed::beside(v, finding).iter().map(|line| format!("{line}\n")));
    }
    Case {
        class: "proctor.verify",
        name: check.name.name().to_owned(),
        end,
        message: check.summary.clone(),
        body,
    }
}

fn finding_text(finding: &Finding) -> String {
    let mut text = format!("\n{}: {}\n", digest::weight(finding.weight), finding.text);
    for (word, what) in digest::whereabouts(finding) {
        let _ = writeln!(text, "{word} {what}");
    }
    if let Some(diff) = &finding.diff {
        let _ = writeln!(text, "{}", diff.trim_end());
    }
    text
}

/// Only what head made worse is a failure here: a reader must not blame head for what was there before.
fn test_case(id: &TestId, row: &TestRow) -> Case {
    let end = match row.change {
        Change::Regression => End::Failure,
        Change::New => match row.head.as_str() {
            "passed" => End::Passed,
            "skipped" | "absent" | "flaky" => End::Skipped,
            _ => End::Failure,
        },
        Change::Fixed | Change::Unchanged if row.head == "passed" => End::Passed,
        Change::Fixed
        | Change::Unchanged
        | Change::PreExisting
        | Change::Flaky
        | Change::Vanished
        | Change::NewlySkipped => End::Skipped,
    };
    let class = match row.change {
        Change::Regression => "proctor.tests.regression",
        Change::Fixed => "proctor.tests.fixed",
        Change::PreExisting => "proctor.tests.pre-existing",
        Change::Flaky => "proctor.tests.flaky",
        Change::New => "proctor.tests.new",
        Change::Vanished => "proctor.tests.vanished",
        Change::NewlySkipped => "proctor.tests.newly-skipped",
        Change::Unchanged => "proctor.tests.unchanged",
    };
    let message = format!("{}: {} at base, {} at head", row.change.name(), row.base, row.head);
    Case { class, name: id.as_str().to_owned(), end, message, body: String::new() }
}
