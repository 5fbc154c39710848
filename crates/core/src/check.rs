//! The checks of a branch: what each measurement means. One file a check; nothing here measures.

mod compared;
mod coverage;
mod golden;
mod green;
mod harness;
mod intact;
mod isolation;
mod mutants;
mod ordered;
mod red;
mod refactored;
mod regression;
mod source;
mod twice;
mod watched;

use crate::branch::{BranchKind, BranchMeasure, Unmade, Untried};
use crate::concern::Concern;
use crate::report::{RunEnd, TestReport};
use crate::verdict::{Check, CheckName, CheckStatus, Finding, TestRow, Weight, told_once};
use crate::words::TestId;
use std::collections::{BTreeMap, BTreeSet};

/// All checks of a branch, in the order in which they are told.
pub fn checks(measure: &BranchMeasure) -> Vec<Check> {
    let accepted = &measure.accepted;
    let whole = |name: &CheckName| with_untried(check(measure, *name), &measure.untried);
    let all = CheckName::ALL.iter().map(|name| under(whole(name), accepted));
    told_once(all.collect())
}

/// The same check where the base accepts some kinds of findings beforehand.
fn under(check: Check, accepted: &BTreeSet<Concern>) -> Check {
    if check.raised().all(|raised| !accepted.contains(&raised.kind)) {
        return check;
    }
    let details = check.details.into_iter().map(|finding| finding.under(accepted)).collect();
    Check::of(check.name, check.summary, details)
}

/// The same check where some of what belongs to it was too much to be tried: nobody knows what that would have shown.
fn with_untried(check: Check, untried: &[Untried]) -> Check {
    let own = untried.iter().filter(|untried| untried.check == check.name);
    let finding = |Untried { what, tried, of, .. }: &Untried| {
        let text = format!(
            "{tried} of {of} {what} were tried, and nothing is known of the others; accepted: a change in parts that are verified one after the other, or a person who has looked at the rest"
        );
        Finding::for_person(Concern::Unjudged, text)
    };
    let more: Vec<Finding> = own.map(finding).collect();
    if more.is_empty() || check.status == CheckStatus::Skip {
        return check;
    }
    let details = check.details.into_iter().chain(more).collect();
    Check::of(check.name, check.summary, details)
}

/// What each test was on both sides.
pub fn rows(measure: &BranchMeasure) -> BTreeMap<TestId, TestRow> {
    regression::rows(measure)
}

fn check(measure: &BranchMeasure, name: CheckName) -> Check {
    if measure.kind == BranchKind::NothingExecutable && name != CheckName::Source {
        let fine = "nothing to prove: no code changed, nothing that code names, and nothing that tests open";
        return Check::of(name, fine, Vec::new());
    }
    if let Some(nothing) = no_tests(measure, name) {
        return Check::of(name, "", vec![nothing]);
    }
    match measure.unmade.get(&name) {
        Some(Unmade::Hindered { what }) => {
            Check::of(name, "", vec![Finding::new(Weight::Unjudged, what.clone())])
        }
        Some(why @ Unmade::Decided) => {
            // What refutes it by then stands.
            let found = made(measure, name);
            let stands = found.status == CheckStatus::Fail;
            if stands { found } else { Check::skipped(name, why.to_string()) }
        }
        Some(why) => Check::skipped(name, why.to_string()),
        None => made(measure, name),
    }
}

fn made(measure: &BranchMeasure, name: CheckName) -> Check {
    match name {
        CheckName::RedReplay => red::check(measure),
        CheckName::Green => green::check(measure),
        CheckName::Regression => regression::check(measure),
        CheckName::TestsIntact => intact::check(measure),
        CheckName::Harness => harness::check(measure),
        CheckName::Isolation => isolation::check(measure),
        CheckName::Mutants => mutants::check(measure),
        CheckName::Source => source::check(measure),
        CheckName::Coverage => coverage::check(measure),
    }
}

/// What a check that lives from running tests says where the tool found none on either side.
fn no_tests(measure: &BranchMeasure, name: CheckName) -> Option<Finding> {
    let runs_tests = match name {
        CheckName::RedReplay => measure.kind == BranchKind::Both,
        CheckName::Green | CheckName::Regression | CheckName::Isolation => true,
        _ => false,
    };
    let none = |run: &TestReport| matches!(run.end, RunEnd::NoTests) && run.cases.is_empty();
    let nowhere = !measure.head.is_empty() && measure.head.iter().all(none) && none(&measure.base);
    let text = "the test tool finds no test on either side, so nothing could be run; accepted: tests that it finds by itself, or a `test_cmd` that names them";
    (runs_tests && nowhere).then(|| Finding::new(Weight::Unjudged, text))
}

fn count(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}

#[cfg(test)]
mod tests;
