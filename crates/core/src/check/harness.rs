//! Harness: exit code, report and counts agree, our own tests beside the project's behave as they must, and the
//! assertions of the new tests decide.

use super::{golden, watched};
use crate::branch::{BranchMeasure, CanaryRun, Planted, Under};
use crate::report::{Place, RunEnd, TestReport};
use crate::verdict::{Check, CheckName, Finding, Weight};
use crate::words::TestId;

const NAME: CheckName = CheckName::Harness;

pub(super) fn check(measure: &BranchMeasure) -> Check {
    let mut found = suspects(measure);
    let planted: usize = measure.canaries.iter().map(|run| run.planted.len()).sum();
    for run in &measure.canaries {
        found.extend(canaries(run));
    }
    found.extend(watched::findings(measure));
    found.extend(golden::findings(measure));
    if planted == 0 && found.is_empty() {
        let text = "no test of our own could be planted beside the project's, so a forged result would not be seen";
        found.push(Finding::new(Weight::Unjudged, text));
    }
    let mut fine = format!(
        "exit code, report and counts agree; canaries in {} behave",
        super::count(planted, "file", "files")
    );
    let deciding = watched::deciding(measure);
    if deciding > 0 {
        let (tests, fail) =
            (super::count(deciding, "test", "tests"), if deciding == 1 { "fails" } else { "fail" });
        fine = format!("{fine}; {tests} with another expectation {fail}");
    }
    Check::of(NAME, fine, found)
}

fn suspects(measure: &BranchMeasure) -> Vec<Finding> {
    let runs = measure
        .head
        .iter()
        .map(|run| ("head", run))
        .chain(measure.canaries.iter().map(|run| ("head with canaries", &run.report)))
        .chain(measure.old_on_head.iter().map(|run| ("head with the base's tests", run)));
    let mut found: Vec<Finding> = runs
        .filter_map(|(on, run)| match &run.end {
            RunEnd::Suspect { note } => {
                let text = format!("on {on} exit code, report and counts disagree: {note}");
                Some(Finding::new(Weight::Refutes, text))
            }
            _ => None,
        })
        .collect();
    found.dedup();
    found
}

fn canaries(run: &CanaryRun) -> Vec<Finding> {
    let under = match run.under {
        Under::Head => "",
        Under::Base => " under the base's configuration",
    };
    if let RunEnd::Crashed { note } = &run.report.end {
        let text = format!("with canaries planted{under} the test tool broke: {note}");
        return vec![Finding::new(Weight::Unjudged, text)];
    }
    if matches!(run.report.end, RunEnd::TimedOut { .. }) {
        let text = format!("with canaries planted{under} the tests did not end in time");
        return vec![Finding::new(Weight::Unjudged, text)];
    }
    run.planted.iter().flat_map(|planted| of_file(&run.report, planted, under)).collect()
}

/// What the three kinds of canary of one file did.
fn of_file(report: &TestReport, planted: &Planted, under: &str) -> Vec<Finding> {
    let ends = |ids: &[TestId]| -> Vec<&'static str> {
        ids.iter().map(|id| report.cases.get(id).map_or("absent", |c| c.end.word())).collect()
    };
    let (passes, fails, skips) =
        (ends(&planted.passes), ends(&planted.fails), ends(&planted.skips));
    let all = passes.iter().chain(&fails).chain(&skips);
    let place = Place { file: planted.file.clone(), line: None };
    // A file that is not collected, or skipped as a whole, shows nothing of its own: other checks speak of it.
    if all.clone().all(|word| *word == "absent") || all.clone().all(|word| *word == "skipped") {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut tell = |words: &[&str], wanted: &[&str], what: &str| {
        for word in words.iter().filter(|word| !wanted.contains(word)) {
            let text = format!(
                "in {} a test that {what} was reported as {word}{under}: results in this file can't be believed; accepted: tests and production code that leave the test tool alone",
                planted.file
            );
            found.push(Finding::new(Weight::Refutes, text).at(&place));
        }
    };
    tell(&fails, &["failed", "errored"], "must fail");
    tell(&passes, &["passed"], "must pass");
    tell(&skips, &["skipped"], "must be skipped");
    found
}
