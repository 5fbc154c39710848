//! A verification as `JUnit` XML: a suite of the verdict and its checks, and a suite of the tests on both sides. Written
//! by hand, since the dialect is a dozen lines and every character is from hostile code.

use super::digest::{self, escaped};
use crate::harmless::one_line;
use proctor_core::verdict::{
    Change, Check, CheckStatus, Finding, TestRow, Verdict, Verification, Weight,
};
use proctor_core::words::TestId;
use std::fmt::Write;

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
    let mut checks = vec![verdict_case(v)];
    checks.extend(v.checks.iter().map(check_case));
    let tests: Vec<Case> = v.tests.iter().map(|(id, row)| test_case(id, row)).collect();
    let all = || checks.iter().chain(&tests);
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        out,
        "<testsuites name=\"proctor verify\" {} time=\"{}\">",
        counts(all()),
        seconds(v.took_ms)
    );
    let _ = writeln!(
        out,
        "  <testsuite name=\"proctor verify\" {} time=\"{}\">",
        counts(checks.iter()),
        seconds(v.took_ms)
    );
    out.push_str("    <properties>\n");
    for (name, value) in [
        ("verdict", v.verdict.name()),
        ("reason", &v.reason),
        ("base", v.base.as_str()),
        ("head", v.head.as_str()),
    ] {
        let _ = writeln!(out, "      <property name=\"{name}\" value=\"{}\"/>", attribute(value));
    }
    out.push_str("    </properties>\n");
    out.extend(checks.iter().map(case_xml));
    out.push_str("  </testsuite>\n");
    let name = attribute(&format!("tests {}..{}", v.base.short(), v.head.short()));
    let _ = writeln!(out, "  <testsuite name=\"{name}\" {}>", counts(tests.iter()));
    out.extend(tests.iter().map(case_xml));
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

/// Readers of `JUnit` know failures and errors only: an open verdict has to be one of them.
fn verdict_case(v: &Verification) -> Case {
    let end = match v.verdict {
        Verdict::Proven => End::Passed,
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

fn check_case(check: &Check) -> Case {
    let end = match check.status {
        CheckStatus::Pass | CheckStatus::Warn => End::Passed,
        CheckStatus::Fail => End::Failure,
        CheckStatus::Error => End::Error,
        CheckStatus::Skip => End::Skipped,
    };
    let mut body = format!("{}: {}\n", check.status.name(), check.summary);
    for finding in check.details.iter().filter(|f| f.weight >= Weight::Warning) {
        body.push_str(&finding_text(finding));
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

fn counts<'a>(cases: impl Iterator<Item = &'a Case>) -> String {
    let (mut tests, mut failures, mut errors, mut skipped) = (0, 0, 0, 0);
    for case in cases {
        tests += 1;
        match case.end {
            End::Passed => {}
            End::Failure => failures += 1,
            End::Error => errors += 1,
            End::Skipped => skipped += 1,
        }
    }
    format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\"")
}

fn case_xml(case: &Case) -> String {
    let open = format!(
        "    <testcase classname=\"{}\" name=\"{}\"",
        attribute(case.class),
        attribute(&case.name)
    );
    let message = attribute(&case.message);
    let body = escaped(case.body.trim_end());
    let inner = match case.end {
        End::Passed if body.is_empty() => return format!("{open}/>\n"),
        End::Passed => format!("<system-out>{body}</system-out>"),
        End::Failure => {
            format!("<failure type=\"failure\" message=\"{message}\">{body}</failure>")
        }
        End::Error => format!("<error type=\"error\" message=\"{message}\">{body}</error>"),
        End::Skipped => format!("<skipped message=\"{message}\"/>"),
    };
    format!("{open}>\n      {inner}\n    </testcase>\n")
}

fn seconds(ms: u64) -> String {
    format!("{}.{:03}", ms / 1000, ms % 1000)
}

fn attribute(text: &str) -> String {
    escaped(&one_line(text))
}
