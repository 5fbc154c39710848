//! Green: head's tests pass on head, each time.

use super::count;
use crate::branch::BranchMeasure;
use crate::proof::{fresh_errors, ran};
use crate::report::{CaseEnd, RunEnd, TestReport};
use crate::verdict::{Check, CheckName, Finding, Weight};
use crate::words::TestId;
use std::collections::BTreeSet;

const NAME: CheckName = CheckName::Green;

pub(super) fn check(measure: &BranchMeasure) -> Check {
    let findings = findings(measure);
    let passed = measure.head.first().map_or(0, |run| run.counts().passed);
    let passed = usize::try_from(passed).unwrap_or(usize::MAX);
    let runs = count(measure.head.len(), "run", "runs");
    Check::of(
        NAME,
        format!("{} on head in each of {runs}", count(passed, "test passes", "tests pass")),
        findings,
    )
}

fn findings(measure: &BranchMeasure) -> Vec<Finding> {
    if measure.head.is_empty() {
        return vec![Finding::new(Weight::Unjudged, "head's tests were not run")];
    }
    for run in &measure.head {
        if let Some(finding) = broken(measure, run) {
            return vec![finding];
        }
    }
    let ids: BTreeSet<&TestId> = measure
        .head
        .iter()
        .flat_map(|run| run.cases.keys())
        .filter(|id| measure.is_new(id))
        .collect();
    let mut found: Vec<Finding> = Vec::new();
    for id in ids {
        let ends: Vec<Option<&CaseEnd>> =
            measure.head.iter().map(|run| run.cases.get(id).map(|case| &case.end)).collect();
        if let Some((mut weight, mut text)) = fault(id, &ends) {
            // Flaky at the base decides nothing, whoever changed the test.
            if measure.base_flaky.contains(id) && ends.iter().any(|end| is_passed(*end)) {
                weight = Weight::Note;
                text = format!("{text}, as it is on the base");
            }
            let finding = Finding::new(weight, text).of(id);
            let place = ends.iter().flatten().find_map(|end| place_of(end)).cloned();
            let place = place.or_else(|| measure.item_of(id).map(|item| item.place.clone()));
            found.push(place.map_or(finding.clone(), |place| finding.at(&place)));
        }
    }
    found
}

/// A run of head that did not come to an end that can be judged.
fn broken(measure: &BranchMeasure, run: &TestReport) -> Option<Finding> {
    let base_ran = ran(&measure.base).is_ok();
    if let Err(why) = ran(run) {
        let weight = if base_ran { Weight::Refutes } else { Weight::Unjudged };
        return Some(Finding::new(weight, format!("head's tests did not run to their end: {why}")));
    }
    let fresh = fresh_errors(&measure.base, run);
    if let Some(error) = fresh.first() {
        let what = if run.cases.is_empty() { "does not build" } else { "does not build in part" };
        let more = match fresh.len() {
            1 => String::new(),
            n => format!(" (and {} more)", n - 1),
        };
        let message = crate::proof::first_line(error.reason.message());
        let text = format!("head {what}: {}: {message}{more}", error.place);
        return Some(Finding::new(Weight::Refutes, text).at(&error.place));
    }
    if matches!(run.end, RunEnd::CollectFailed { .. }) && run.cases.is_empty() {
        let text = "neither the base nor head builds, so nothing could be run; mend the base first";
        return Some(Finding::new(Weight::Unjudged, text));
    }
    if matches!(run.end, RunEnd::NoTests) && !measure.base.cases.is_empty() {
        let text = "head runs no test at all, and the base did";
        return Some(Finding::new(Weight::Refutes, text));
    }
    if run.cases.is_empty() {
        let text = "there is no test on head, so nothing could be run";
        return Some(Finding::new(Weight::Unjudged, text));
    }
    None
}

fn is_passed(end: Option<&CaseEnd>) -> bool {
    matches!(end, Some(CaseEnd::Passed))
}

fn fault(id: &TestId, ends: &[Option<&CaseEnd>]) -> Option<(Weight, String)> {
    let passed = ends.iter().filter(|end| is_passed(**end)).count();
    if passed == ends.len() {
        return None;
    }
    if passed > 0 {
        let text = format!("{id} is flaky: it passed in {passed} of {} runs on head", ends.len());
        return Some((Weight::Refutes, text));
    }
    let skipped = |end: Option<&CaseEnd>| matches!(end, Some(CaseEnd::Skipped { .. }));
    if ends.iter().all(|end| skipped(*end)) {
        return Some((Weight::Warning, format!("{id} is skipped on head, so it shows nothing")));
    }
    let why = ends.iter().flatten().find_map(|end| match end {
        CaseEnd::Failed { reason } => Some(reason.message()),
        CaseEnd::Errored { message } => Some(message.as_str()),
        CaseEnd::Passed | CaseEnd::Skipped { .. } => None,
    });
    let why = crate::proof::first_line(why.unwrap_or("it was not reported"));
    Some((Weight::Refutes, format!("{id} fails on head: {why}")))
}

fn place_of(end: &CaseEnd) -> Option<&crate::report::Place> {
    match end {
        CaseEnd::Failed { reason } => reason.place(),
        CaseEnd::Passed | CaseEnd::Errored { .. } | CaseEnd::Skipped { .. } => None,
    }
}
