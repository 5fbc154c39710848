//! No regression: each test on the base against the same test on head.

use super::count;
use crate::branch::{BranchMeasure, Unrefused};
use crate::concern::Concern;
use crate::proof::{first_line, ran};
use crate::report::{CaseEnd, RunEnd};
use crate::verdict::{Change, Check, CheckName, Finding, TestRow, Weight};
use crate::words::TestId;
use std::collections::{BTreeMap, BTreeSet};

const NAME: CheckName = CheckName::Regression;

pub(super) fn rows(measure: &BranchMeasure) -> BTreeMap<TestId, TestRow> {
    let heads = || measure.head.iter().flat_map(|run| run.cases.keys());
    let ids: BTreeSet<&TestId> = measure.base.cases.keys().chain(heads()).collect();
    let red = measure.sorted().red;
    let replayed = |id: &TestId| {
        if red.contains(id) { Some("failed".to_owned()) } else { replayed(measure, id) }
    };
    let row = |id: &TestId| TestRow { replayed: replayed(id), ..row(measure, id) };
    ids.into_iter().map(|id| (id.clone(), row(id))).collect()
}

fn row(measure: &BranchMeasure, id: &TestId) -> TestRow {
    let was = measure.base.cases.get(id).map(|case| &case.end);
    let flaky = measure.base_flaky.contains(id);
    let ends: Vec<Option<&CaseEnd>> =
        measure.head.iter().map(|run| run.cases.get(id).map(|case| &case.end)).collect();
    let first = ends.first().copied().flatten();
    let passed = |end: Option<&CaseEnd>| matches!(end, Some(CaseEnd::Passed));
    let steady = ends.iter().all(|end| passed(*end) == passed(first));
    let head = if steady { word(first) } else { "flaky" };
    let base = if flaky { "flaky" } else { word(was) };
    let excused = measure.again.excuses(id, &measure.head);
    let change = match (base, head) {
        _ if measure.head.is_empty() => Change::Unchanged,
        ("absent", _) => Change::New,
        (_, "absent") => Change::Vanished,
        ("passed", "skipped") => Change::NewlySkipped,
        ("flaky", _) | (_, "flaky") => Change::Flaky,
        ("passed", "failed" | "errored") if excused => Change::Flaky,
        ("passed", "failed" | "errored") => Change::Regression,
        ("failed" | "errored" | "skipped", "passed") => Change::Fixed,
        ("failed" | "errored", _) => Change::PreExisting,
        _ => Change::Unchanged,
    };
    TestRow { base: base.to_owned(), head: head.to_owned(), replayed: None, change }
}

/// What head's text of a test was on the base's code.
fn replayed(measure: &BranchMeasure, id: &TestId) -> Option<String> {
    let mut words =
        measure.replay.iter().filter_map(|run| run.cases.get(id)).map(|case| case.end.word());
    let first = words.next()?;
    Some(if words.all(|word| word == first) { first } else { "flaky" }.to_owned())
}

fn word(end: Option<&CaseEnd>) -> &'static str {
    end.map_or("absent", CaseEnd::word)
}

/// What the base refused, and what nobody asked to be taken.
fn unrefused(Unrefused { refusal, stood, place }: &Unrefused) -> Finding {
    let text = format!(
        "`{refusal}` stood in line {stood} of {} on the base and is gone; every test passes with it too, so none asks for that; accepted: a test of what is so now, or the refusal",
        place.file
    );
    Finding::for_person(Concern::ChangedBehaviour, text).at(place)
}

pub(super) fn check(measure: &BranchMeasure) -> Check {
    if let Err(why) = ran(&measure.base) {
        let text = format!("the base's tests could not be judged: {why}");
        return Check::of(NAME, "", vec![Finding::new(Weight::Unjudged, text)]);
    }
    if measure.head.is_empty() || measure.head.iter().any(|run| ran(run).is_err()) {
        let text = "head's tests did not run to their end, so nothing can be compared";
        return Check::of(NAME, "", vec![Finding::new(Weight::Unjudged, text)]);
    }
    let rows = rows(measure);
    let mut found: Vec<Finding> = measure.unrefused.iter().map(unrefused).collect();
    for (id, row) in &rows {
        let finding = match row.change {
            Change::Regression if measure.is_new(id) => continue,
            Change::Regression => Finding::new(
                Weight::Refutes,
                format!("{id} passed on the base and fails on head: {}", why(measure, id)),
            ),
            // Passed on the base, but neither steadily passes nor steadily fails on head.
            Change::Flaky
                if row.base == "passed"
                    && !measure.is_new(id)
                    && !measure.again.excuses(id, &measure.head) =>
            {
                let text = format!("{id} passed on the base and is flaky on head");
                Finding::new(Weight::Refutes, text)
            }
            Change::Flaky if !measure.is_new(id) => {
                Finding::new(Weight::Note, format!("{id} is flaky on the base too"))
            }
            Change::PreExisting => {
                Finding::new(Weight::Note, format!("{id} fails on the base too"))
            }
            _ => continue,
        };
        found.push(finding.of(id));
    }
    if matches!(measure.base.end, RunEnd::CollectFailed { .. }) && measure.base.cases.is_empty() {
        let text = "the base does not build, so there is nothing to compare with";
        found.push(Finding::new(Weight::Unjudged, text));
    }
    let same = rows.values().filter(|row| row.base == "passed" && row.head == "passed").count();
    let fixed = rows.values().filter(|row| row.change == Change::Fixed).count();
    let mut fine = format!("{} on both sides", count(same, "test passes", "tests pass"));
    if fixed > 0 {
        fine = format!("{fine}, {fixed} fixed");
    }
    Check::of(NAME, fine, found)
}

fn why(measure: &BranchMeasure, id: &TestId) -> String {
    let ends = measure.head.iter().filter_map(|run| run.cases.get(id));
    let message = ends.into_iter().find_map(|case| match &case.end {
        CaseEnd::Failed { reason } => Some(reason.message().to_owned()),
        CaseEnd::Errored { message } => Some(message.clone()),
        CaseEnd::Passed | CaseEnd::Skipped { .. } => None,
    });
    first_line(&message.unwrap_or_default()).to_owned()
}
