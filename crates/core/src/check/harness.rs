//! Harness: exit code, report and counts agree, our own tests beside the project's behave as they must, and a test whose
//! expectation was turned round fails.

use crate::branch::{BranchMeasure, CanaryRun, Planted, Twin, TwinSort, Under};
use crate::brief::Brief;
use crate::report::{CaseEnd, Place, RunEnd, TestReport};
use crate::verdict::{Check, CheckName, Finding, Weight};
use crate::words::TestId;
use std::collections::{BTreeMap, BTreeSet};

const NAME: CheckName = CheckName::Harness;

pub(super) fn check(brief: &Brief, measure: &BranchMeasure) -> Check {
    let mut found = suspects(measure);
    let planted: usize = measure.canaries.iter().map(|run| run.planted.len()).sum();
    for run in &measure.canaries {
        found.extend(canaries(run));
    }
    found.extend(twins(brief, measure));
    found.extend(unreached(measure));
    if planted == 0 && found.is_empty() {
        let text = "no test of our own could be planted beside the project's, so a forged result would not be seen";
        found.push(Finding::new(Weight::Unjudged, text));
    }
    let flipped: BTreeSet<&TestId> =
        of_sort(measure, TwinSort::Flipped).map(|twin| &twin.test).collect();
    let mut fine = format!(
        "exit code, report and counts agree; canaries in {} behave",
        super::count(planted, "file", "files")
    );
    if !flipped.is_empty() {
        fine = format!(
            "{fine}; {} with a flipped expectation {}",
            super::count(flipped.len(), "test", "tests"),
            if flipped.len() == 1 { "fails" } else { "fail" }
        );
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

/// Tests whose expectation was turned round and that pass all the same.
fn twins(brief: &Brief, measure: &BranchMeasure) -> Vec<Finding> {
    let mut by_test: BTreeMap<&TestId, Vec<&Twin>> = BTreeMap::new();
    for twin in of_sort(measure, TwinSort::Flipped).filter(|twin| !twin.ends.is_empty()) {
        by_test.entry(&twin.test).or_default().push(twin);
    }
    let red = red_lines(brief, measure);
    let mut found = Vec::new();
    for (test, twins) in by_test {
        let survived: Vec<&&Twin> = twins.iter().filter(|twin| survives(twin)).collect();
        let all = survived.len() == twins.len();
        found.extend(twins.iter().filter_map(|twin| slip(twin)).map(|(message, twin)| {
            let text = format!(
                "{test} takes a slip in the code for the failure that it expects: {message}; accepted: a test that names the failure"
            );
            Finding::new(Weight::NeedsPerson, text).of(test).at(&twin.place)
        }));
        for twin in &survived {
            let decisive = red.contains(&twin.place);
            if !all && !decisive {
                let own = measure.equalities.first();
                let (weight, besides) = match own {
                    Some(place) => (
                        Weight::NeedsPerson,
                        format!(
                            ", and {place} decides what is equal; accepted: a test that fails when its expectation is wrong"
                        ),
                    ),
                    None => (Weight::Warning, String::new()),
                };
                let text = format!("{test} passes also when {}{besides}", twin.what);
                let finding = Finding::new(weight, text).of(test).at(&twin.place);
                found.push(finding.with_diff(twin.diff.clone()));
                continue;
            }
            let text = format!(
                "{test} passes also when {}: its assertion does not decide, or what it compares is made to look equal; accepted: a test that fails when its expectation is wrong",
                twin.what
            );
            let finding = Finding::new(Weight::Refutes, text).of(test).at(&twin.place);
            found.push(finding.with_diff(twin.diff.clone()));
        }
    }
    found
}

fn of_sort(measure: &BranchMeasure, sort: TwinSort) -> impl Iterator<Item = &Twin> {
    measure.twins.iter().filter(move |twin| twin.sort == sort)
}

/// Tests of which no assertion is reached on head. An empty list may be what is right: then the test can say so.
fn unreached(measure: &BranchMeasure) -> impl Iterator<Item = Finding> {
    let survived = |twin: &&Twin| !twin.ends.is_empty() && survives(twin);
    of_sort(measure, TwinSort::Trapped).filter(survived).map(|twin| {
        let text = format!(
            "{} passes without reaching any of its assertions: they stand in a loop over nothing, in a branch that is not taken, or where their failure is swallowed; accepted: an assertion that runs, such as one that the list is not empty",
            twin.test
        );
        Finding::new(Weight::NeedsPerson, text).of(&twin.test).at(&twin.place)
    })
}

/// A twin that fails because a name is not there: what the test expects on head is no failure that anybody meant.
fn slip(twin: &Twin) -> Option<(String, &Twin)> {
    const SLIPS: [&str; 4] =
        ["NameError", "ReferenceError", "UnboundLocalError", "NotImplementedError"];
    twin.ends.iter().find_map(|end| {
        let CaseEnd::Failed { reason } = end else { return None };
        let message = reason.message();
        let line = message.lines().find(|line| SLIPS.iter().any(|slip| line.contains(slip)))?;
        Some((line.trim().to_owned(), twin))
    })
}

fn survives(twin: &Twin) -> bool {
    twin.ends.iter().all(|end| matches!(end, CaseEnd::Passed))
}

/// Where the red tests fail on the base's code.
fn red_lines(brief: &Brief, measure: &BranchMeasure) -> BTreeSet<Place> {
    let sorted = measure.sorted(brief);
    let Some(run) = measure.replay.first() else { return BTreeSet::new() };
    let place = |id: &TestId| match run.cases.get(id).map(|case| &case.end) {
        Some(CaseEnd::Failed { reason }) => reason.place().cloned(),
        _ => None,
    };
    sorted.red.iter().filter_map(place).collect()
}
