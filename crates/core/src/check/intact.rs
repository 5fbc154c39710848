//! Tests intact: nothing that was asked before is asked no more, or less.

use crate::branch::{BranchMeasure, Renamed, Role};
use crate::brief::ChangedTests;
use crate::item::TestItem;
use crate::observation::{Asked, END, Kept, kept};
use crate::proof::passed_ids;
use crate::report::{CaseEnd, Reason, RunEnd, TestReport};
use crate::verdict::{Change, Check, CheckName, Finding, Weight};
use crate::words::TestId;

const NAME: CheckName = CheckName::TestsIntact;
/// How many lost questions of one test are told.
const MOST_LOST: usize = 5;
const ALLOW: &str = "a person may accept it with `--allow-changed-tests`";

pub(super) fn check(measure: &BranchMeasure) -> Check {
    let mut found = Vec::new();
    found.extend(weakened(measure));
    found.extend(unobserved(measure));
    found.extend(measure.hidden.iter().map(|item| {
        let text = format!("{} is written twice, and only the second one is run; accepted: give it a name of its own", item.id);
        Finding::new(Weight::Refutes, text).of(&item.id).at(&item.place)
    }));
    found.extend(gone(measure));
    found.extend(skipped(measure));
    found.extend(changed(measure));
    found.extend(surroundings(measure));
    Check::of(NAME, "no old test was removed, skipped, weakened or changed", found)
}

/// What a change of expectation weighs.
fn expectation(measure: &BranchMeasure) -> Weight {
    match measure.changed_tests {
        ChangedTests::NeedAPerson => Weight::NeedsPerson,
        ChangedTests::Allowed => Weight::Note,
    }
}

/// Old tests that do not ask any more what their old text asks of the same code.
fn weakened(measure: &BranchMeasure) -> Vec<Finding> {
    let told = |asked: &Asked| {
        let (weight, how, lost, accepted) = match kept(&asked.old, &asked.new) {
            Kept::All => return None,
            Kept::Less { lost } => {
                let accepted = "accepted: the old assertions beside new ones";
                (Weight::Refutes, "asserts less than on the base", lost, accepted)
            }
            Kept::Others { lost } => {
                (expectation(measure), "asks other questions than on the base", lost, ALLOW)
            }
        };
        let text = format!(
            "{} {how}: {} at {} is not asked any more; {accepted}",
            asked.test,
            lost.iter().take(MOST_LOST).cloned().collect::<Vec<_>>().join(", "),
            asked.place
        );
        Some(Finding::new(weight, text).of(&asked.test).at(&asked.place))
    };
    measure.asked.iter().filter_map(told).collect()
}

/// Old tests whose assertions could not be observed: that they pass and fail is all that is known.
fn unobserved(measure: &BranchMeasure) -> Vec<Finding> {
    let blind =
        |asked: &&Asked| asked.old.iter().all(|rows| rows.iter().all(|row| row.site == END));
    let told = |asked: &Asked| {
        let text = format!(
            "{} changed, and what its old text asks could not be observed; that it passes is all that is known",
            asked.test
        );
        Finding::new(Weight::Note, text).of(&asked.test).at(&asked.place)
    };
    measure.asked.iter().filter(blind).map(told).collect()
}

/// Tests of the base that head does not have.
fn gone(measure: &BranchMeasure) -> Vec<Finding> {
    let mut found = Vec::new();
    let renamed = |id: &TestId| measure.renamed.iter().any(|pair| pair.was.covers(id));
    found.extend(measure.renamed.iter().map(|pair| moved(measure, pair)));
    for item in measure.items.gone.iter().filter(|item| !renamed(&item.id)) {
        let removed = subject_is_gone(measure, item);
        let (weight, text) = if removed {
            let text =
                format!("{} was deleted together with the code that it tested; {ALLOW}", item.id);
            (expectation(measure), text)
        } else {
            let text = format!("{} was deleted; accepted: put it back", item.id);
            (Weight::Refutes, text)
        };
        found.push(Finding::new(weight, text).of(&item.id).at(&item.place));
    }
    let written = |id: &TestId| measure.items.gone.iter().any(|item| item.covers(id));
    let Some(first) = measure.head.first() else { return found };
    if !matches!(first.end, RunEnd::Finished | RunEnd::NoTests) {
        return found;
    }
    for (id, row) in super::rows(measure) {
        if row.change != Change::Vanished || written(&id) || renamed(&id) {
            continue;
        }
        let item = measure.items.changed.iter().find(|item| item.covers(&id));
        if let Some(item) = item.filter(|item| item.id == id && has_cases(first, item)) {
            let text = format!(
                "{id} has cases of its own now; what it asked before is looked at as a change"
            );
            found.push(Finding::new(Weight::Note, text).of(&id).at(&item.place));
            continue;
        }
        let text = if item.is_some() {
            format!("{id} is no longer among the cases of its test; accepted: put the case back")
        } else {
            format!(
                "{id} is still written and is no longer run; accepted: let the test tool find it"
            )
        };
        found.push(Finding::new(Weight::Refutes, text).of(&id));
    }
    found
}

/// Whether a test is run once for each of its cases.
fn has_cases(run: &TestReport, item: &TestItem) -> bool {
    run.cases
        .iter()
        .any(|(id, case)| *id != item.id && item.covers(id) && case.end == CaseEnd::Passed)
}

/// A test under another name or in another place: one that ran must still run there.
fn moved(measure: &BranchMeasure, pair: &Renamed) -> Finding {
    let runs = |run: &TestReport, item: &TestItem| run.cases.keys().any(|id| item.covers(id));
    let finished = |run: &&TestReport| matches!(run.end, RunEnd::Finished | RunEnd::NoTests);
    let lost = runs(&measure.base, &pair.was)
        && measure.head.iter().filter(finished).any(|run| !runs(run, &pair.is));
    let (was, is) = (&pair.was.id, &pair.is.id);
    let finding = if lost {
        let text = format!(
            "{was} is now {is}, which the test tool does not run; accepted: a name and a place that it looks for"
        );
        Finding::new(Weight::Refutes, text)
    } else {
        Finding::new(Weight::Note, format!("{was} is now {is}"))
    };
    finding.of(is).at(&pair.is.place)
}

/// Whether an old test fails on head's code because what it tests is not there any more.
fn subject_is_gone(measure: &BranchMeasure, item: &TestItem) -> bool {
    let Some(run) = &measure.old_on_head else { return false };
    let missing = |reason: &Reason| matches!(reason, Reason::Missing { .. });
    let mut cases = run.cases.iter().filter(|(id, _)| item.covers(id)).peekable();
    if cases.peek().is_some() {
        return cases
            .any(|(_, case)| matches!(&case.end, CaseEnd::Failed { reason } if missing(reason)));
    }
    let RunEnd::CollectFailed { errors } = &run.end else { return false };
    errors.iter().any(|error| error.place.file == item.place.file && missing(&error.reason))
}

fn skipped(measure: &BranchMeasure) -> Vec<Finding> {
    super::rows(measure)
        .into_iter()
        .filter(|(_, row)| row.change == Change::NewlySkipped)
        .map(|(id, _)| {
            let text =
                format!("{id} passed on the base and is skipped on head; accepted: let it run");
            let finding = Finding::new(Weight::Refutes, text).of(&id);
            measure.item_of(&id).map_or(finding.clone(), |item| finding.at(&item.place))
        })
        .collect()
}

/// How an old test, with the base's text and surroundings, ends on head's code.
enum Still {
    Passes,
    Fails(String),
    Unknown,
}

fn still(run: &TestReport, item: &TestItem) -> Still {
    let mut cases = run.cases.iter().filter(|(id, _)| item.covers(id)).peekable();
    if cases.peek().is_none() {
        return Still::Unknown;
    }
    let failed = cases.find_map(|(_, case)| match &case.end {
        CaseEnd::Failed { reason } => Some(reason.message().to_owned()),
        CaseEnd::Errored { message } => Some(message.clone()),
        CaseEnd::Passed | CaseEnd::Skipped { .. } => None,
    });
    failed.map_or(Still::Passes, Still::Fails)
}

/// Old tests whose text changed.
fn changed(measure: &BranchMeasure) -> Vec<Finding> {
    let told = weakened(measure);
    let weak = |id: &TestId| told.iter().any(|finding| finding.test.as_ref() == Some(id));
    let mut found = Vec::new();
    for item in measure.items.changed.iter().filter(|item| !weak(&item.id)) {
        let end = measure.old_on_head.as_ref().map_or(Still::Unknown, |run| still(run, item));
        let passed_before = passed_ids(&measure.base).any(|id| item.covers(id));
        let (weight, text) = match end {
            Still::Passes => {
                (Weight::Note, format!("{} changed; its old text passes on head too", item.id))
            }
            _ if !passed_before => {
                (Weight::Note, format!("{} changed; it did not pass on the base", item.id))
            }
            Still::Fails(why) => {
                let why = crate::proof::first_line(&why);
                let text = format!(
                    "{} expects something else than on the base (its old text fails on head: {why}); {ALLOW}",
                    item.id
                );
                (expectation(measure), text)
            }
            Still::Unknown => {
                let text = format!(
                    "{} changed, and its old text could not be run on head's code; {ALLOW}",
                    item.id
                );
                (expectation(measure), text)
            }
        };
        found.push(Finding::new(weight, text).of(&item.id).at(&item.place));
    }
    found
}

/// Helpers, data, configuration, what stands around the tests in their own files: a change is judged by what it does to
/// the tests that did not change.
fn surroundings(measure: &BranchMeasure) -> Vec<Finding> {
    let names: Vec<&str> = measure.surroundings.iter().map(|t| t.path.as_str()).collect();
    let (Some(old), Some(head)) = (&measure.old_on_head, measure.head.first()) else {
        if names.is_empty() {
            return Vec::new();
        }
        let names = names.join(", ");
        let text = format!("{names} changed, and the old tests were not run without that change");
        return vec![Finding::new(Weight::Unjudged, text)];
    };
    let what = if names.is_empty() { "test files".to_owned() } else { names.join(", ") };
    let touched = |id: &TestId| measure.is_new(id) || measure.base_flaky.contains(id);
    let mut found = Vec::new();
    for id in passed_ids(&measure.base).filter(|id| !touched(id)) {
        let (was, is) = (end_of(old, id), end_of(head, id));
        if was != is && is == "passed" && was != "absent" {
            let text = format!(
                "{id} passes on head only with the changed {what}: with the base's it is {was}; {ALLOW}"
            );
            found.push(Finding::new(expectation(measure), text).of(id));
        }
    }
    if found.is_empty() {
        found.extend(measure.surroundings.iter().map(same_without));
    }
    found
}

fn same_without(touched: &crate::branch::Touched) -> Finding {
    let what = match touched.role {
        Role::Decides => "decides how tests run and changed",
        Role::Supports => "stands beside the tests and changed",
    };
    let text = format!("{} {what}; the old tests behave the same without that", touched.path);
    let place = crate::report::Place { file: touched.path.clone(), line: None };
    Finding::new(Weight::Note, text).at(&place)
}

fn end_of(run: &TestReport, id: &TestId) -> &'static str {
    run.cases.get(id).map_or("absent", |case| case.end.word())
}
